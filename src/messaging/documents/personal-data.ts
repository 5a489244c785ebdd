// Which files name a student, and how they go with the student.
import type { PersonalDataSection, StudentForgotten } from '#identity/people/index.ts';

export const reportFilesSection: PersonalDataSection = {
  name: 'reportFiles',
  tables: [{ table: 'report_file_student', student: 'studentId' }],
};

/** At once: a printed name is not to be read any more. What is rendered at this moment sees the erasure before it is stored. */
export const forgetReportFiles: StudentForgotten = async (trx, { organizationId, id }) => {
  const naming = trx('report_file_student').where({ organizationId, studentId: id }).select('jobId');
  await trx('report_file').where({ organizationId }).whereIn('jobId', naming).delete();
};
