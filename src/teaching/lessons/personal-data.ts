// Where blueprint sessions keep what they say of a student.
import type { PersonalDataSection } from '#identity/people/index.ts';

export const sessionsSection: PersonalDataSection = {
  name: 'sessions',
  tables: [
    { table: 'session_recipient', student: 'studentId' },
    { table: 'session_response', student: 'studentId' },
  ],
};
