// The files that name a student, and their removal with the student.

import type { PersonalDataSection, StudentForgotten } from '#identity/people/index.ts';
import { ReportFileStudent, StoredReportFile } from './rows/store.ts';

export const reportFilesSection: PersonalDataSection = {
  name: 'reportFiles',
  tables: [{ table: 'report_file_student', student: 'studentId' }],
};

/** Removes the files at once, so that a printed name is no longer readable. A rendering in progress sees the erasure before it is stored. */
export const forgetReportFiles: StudentForgotten = async (trx, { organizationId, id }) => {
  const naming = ReportFileStudent.query(trx).where({ organizationId, studentId: id }).select('jobId');
  await StoredReportFile.query(trx).where({ organizationId }).whereIn('jobId', naming).delete();
};
