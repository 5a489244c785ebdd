// The tables of tiers, alerts and skill states that hold data about a student.
import type { PersonalDataSection } from '#identity/people/index.ts';

export const rtiSection: PersonalDataSection = {
  name: 'rti',
  tables: [
    { table: 'tier_movement', student: 'studentId' },
    { table: 'rti_decision', student: 'studentId' },
    { table: 'rti_alert', student: 'studentId' },
    { table: 'rti_evaluation', student: 'studentId' },
    { table: 'rti_evaluation_request', student: 'studentId' },
    { table: 'skill_state', student: 'studentId' },
    { table: 'skill_state_cursor', student: 'studentId' },
    { table: 'skill_measurement', student: 'studentId' },
  ],
};
