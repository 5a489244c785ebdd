// The tables in which context flags store data about a student.
import type { PersonalDataSection } from '../people/index.ts';

export const contextFlagSection: PersonalDataSection = {
  name: 'contextFlags',
  tables: [
    { table: 'context_flag', student: 'studentId' },
    { table: 'context_flag_turn', student: 'studentId' },
    { table: 'context_flag_refusal', student: 'studentId' },
  ],
};
