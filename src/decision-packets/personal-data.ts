// Where packets keep what they say of a student.
import type { PersonalDataSection } from '../people/index.ts';

export const packetsSection: PersonalDataSection = {
  name: 'decision-packets',
  tables: [{ table: 'decision_packet', student: 'studentId' }],
};
