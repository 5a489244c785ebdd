// The tables in which client logs store data about a student.
import type { PersonalDataSection } from '../people/index.ts';

export const clientLogSection: PersonalDataSection = {
  name: 'clientLogs',
  tables: [
    { table: 'client_log', student: 'userId' },
    { table: 'client_log_batch', student: 'userId' },
  ],
};
