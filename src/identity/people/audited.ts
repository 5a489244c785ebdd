// The tables of people, schools and classes whose changes are recorded, and the columns whose values are kept permanently.
import type { AuditedTables } from '#core/module/audit-writer.ts';

const organizationFields = [
  'name',
  'slug',
  'country',
  'default_locale',
  'is_demo',
  'allowed_google_domains',
  'time_zone',
  'weekend',
  'holidays',
  'min_cluster_size',
];

export const auditedPeople = {
  organization: { id: 'id', organization: 'id', fields: organizationFields },
  school: { id: 'id', fields: ['name', 'country', 'min_cluster_size', 'time_zone'] },
  school_roll_over: { id: 'school_id', fields: ['id', 'from_year', 'to_year', 'undone_at'] },
  class: { id: 'id', fields: ['school_id', 'name', 'grade', 'academic_year', 'archived_at'] },
  app_user: { id: 'id', fields: ['primary_persona', 'scope', 'status', 'seats'], derived: ['name_folded'] },
  class_teacher: { id: 'class_id', fields: ['teacher_user_id', 'role'] },
  principal_school: { id: 'school_id', fields: ['principal_user_id'] },
  enrollment: { id: 'student_id', fields: ['class_id', 'enrolled_from', 'enrolled_to'] },
  parent_student: { id: 'student_id', fields: ['parent_user_id'] },
  quick_code: { id: 'student_id', fields: ['expires_at'] },
  external_identity: { id: 'user_id', fields: ['provider'] },
  email_conflict: { id: 'user_id', fields: [] },
  totp: { id: 'user_id', fields: ['confirmed_at'] },
  data_export: { id: 'student_id', fields: ['exported_by'] },
} as const satisfies AuditedTables;
