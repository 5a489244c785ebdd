// The tables of packets that hold data about a student.
import type { PersonalDataSection } from '#identity/people/index.ts';

export const packetsSection: PersonalDataSection = {
  name: 'decision-packets',
  tables: [
    { table: 'decision_packet', student: 'studentId' },
    /** The log of readers. */
    { table: 'audit_entry', parent: 'decision_packet', parentKey: 'id', key: 'entityId', of: { entity: 'packet' } },
  ],
};
