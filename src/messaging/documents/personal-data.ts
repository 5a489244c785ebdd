// The files that name a student, and their removal with the student.
import type { PersonalDataSection, StudentForgotten } from '#identity/people/index.ts';

export const reportFilesSection: PersonalDataSection = {
  name: 'reportFiles',
  tables: [{ table: 'report_file_student', student: 'studentId' }],
};

/** Removes the files at once, so that a printed name is no longer readable. A rendering in progress sees the erasure before it is stored. */
export const forgetReportFiles: StudentForgotten = async (trx, { organizationId, id }) => {
  const naming = trx('report_file_student').where({ organizationId, studentId: id }).select('jobId');
  await trx('report_file').where({ organizationId }).whereIn('jobId', naming).delete();
};
