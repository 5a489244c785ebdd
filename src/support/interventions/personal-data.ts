// The tables of interventions that hold data about a student.
import type { PersonalDataSection } from '#identity/people/index.ts';

export const interventionsSection: PersonalDataSection = {
  name: 'interventions',
  tables: [
    { table: 'profile_assignment', student: 'studentId' },
    { table: 'student_support', student: 'studentId' },
    { table: 'bundle_assignment', student: 'studentId' },
    { table: 'bundle_delivery', student: 'studentId' },
    { table: 'bundle_absence', student: 'studentId' },
  ],
};
