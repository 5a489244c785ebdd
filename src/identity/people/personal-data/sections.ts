// The tables of the archive about the person: account, links, sign-in and recorded changes.
import type { PersonalDataSection } from './personal-data.ts';

/** Tables whose entries in the record of changes have a person's id as `entity_id`. */
export const auditedOfStudents = [
  'app_user',
  'enrollment',
  'parent_student',
  'quick_code',
  'external_identity',
  'data_export',
  'context_flag',
  'context_flag_refusal',
  'email_conflict',
  'totp',
  'student_badge_rescind',
  'bundle_assignment',
  'bundle_delivery',
  'cbm_probe',
  'evidence_void',
  'decision_packet',
  'tier_movement',
  'rti_decision',
  'rti_alert',
  'session_recipient',
  'student_merge',
] as const;

/** Documents whose recorded reads have the student's id as `entity_id`. */
const readOfStudents = ['letter'] as const;

export const identitySection: PersonalDataSection = {
  name: 'identity',
  tables: [
    { table: 'app_user', student: 'id', without: ['passwordHash'] },
    { table: 'sign_in_name', student: 'userId' },
    { table: 'enrollment', student: 'studentId' },
    { table: 'parent_student', student: 'studentId' },
    { table: 'quick_code', student: 'studentId', without: ['codeHash'] },
    { table: 'external_identity', student: 'userId' },
    { table: 'auth_session', student: 'userId' },
    { table: 'data_export', student: 'studentId' },
    { table: 'security_event', student: 'userId', othersToo: true, without: ['addressHash'] },
    { table: 'audit_entry', entities: [...auditedOfStudents, ...readOfStudents] },
  ],
};
