// Where packets keep what they say of a student.
import type { PersonalDataSection } from '#identity/people/index.ts';

export const packetsSection: PersonalDataSection = {
  name: 'decision-packets',
  tables: [
    { table: 'decision_packet', student: 'studentId' },
    /** Who has read them. */
    { table: 'audit_entry', parent: 'decision_packet', parentKey: 'id', key: 'entityId', of: { entity: 'packet' } },
  ],
};
