// Where it is kept what was delivered to a student.
import type { PersonalDataSection } from '#identity/people/index.ts';

export const fidelitySection: PersonalDataSection = {
  name: 'fidelity',
  tables: [
    { table: 'fidelity_snapshot', student: 'studentId' },
    { table: 'fidelity_current', student: 'studentId' },
    { table: 'fidelity_request', student: 'studentId' },
  ],
};
