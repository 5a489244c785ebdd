// Where client logs keep what they say of a student.
import type { PersonalDataSection } from '../people/index.ts';

export const clientLogSection: PersonalDataSection = {
  name: 'clientLogs',
  tables: [
    { table: 'client_log', student: 'userId' },
    { table: 'client_log_batch', student: 'userId' },
  ],
};
