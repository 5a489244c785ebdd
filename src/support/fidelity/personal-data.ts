// The tables of fidelity that hold data about a student.
import type { PersonalDataSection } from '#identity/people/index.ts';

export const fidelitySection: PersonalDataSection = {
  name: 'fidelity',
  tables: [
    { table: 'fidelity_snapshot', student: 'studentId' },
    { table: 'fidelity_current', student: 'studentId' },
    { table: 'fidelity_request', student: 'studentId' },
  ],
};
