// The tables in which lessons store data about a student.
import type { PersonalDataSection } from '#identity/people/index.ts';

export const lessonsSection: PersonalDataSection = {
  name: 'sessions',
  tables: [
    { table: 'session_recipient', student: 'studentId' },
    { table: 'session_response', student: 'studentId' },
  ],
};
