// Where each capability keeps what it knows about a student.
import type { PersonalDataSection } from './personal-data.ts';

/** Tables whose entries in the record of changes go by a person's id. */
export const auditedOfStudents = [
  'app_user',
  'enrollment',
  'parent_student',
  'quick_code',
  'external_identity',
  'data_export',
  'email_conflict',
  'totp',
] as const;

const identitySection: PersonalDataSection = {
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
    { table: 'audit_entry', entities: auditedOfStudents },
  ],
};

const ofSession = { parent: 'diagnostic_session', parentKey: 'id', key: 'sessionId' } as const;

const diagnosticsSection: PersonalDataSection = {
  name: 'diagnostics',
  tables: [
    { table: 'diagnostic_session', student: 'studentId' },
    { table: 'diagnostic_served_item', ...ofSession },
    { table: 'diagnostic_response', ...ofSession },
    { table: 'diagnostic_event', ...ofSession },
    { table: 'diagnostic_estimate', ...ofSession },
  ],
};

const ofRun = { parent: 'sse_run', parentKey: 'id', key: 'runId' } as const;

const skillStatusSection: PersonalDataSection = {
  name: 'skillStatus',
  tables: [
    { table: 'sse_run', student: 'studentId' },
    { table: 'sse_response_code', ...ofRun },
    { table: 'sse_skill_snapshot', student: 'studentId' },
    { table: 'sse_domain_snapshot', student: 'studentId' },
    { table: 'sse_macro_snapshot', ...ofRun },
    { table: 'rbm_log', student: 'studentId' },
    { table: 'sse_recompute_request', student: 'studentId' },
    { table: 'sub_flag_indicator', student: 'studentId' },
    { table: 'sub_flag_event', student: 'studentId' },
    { table: 'platform_alert', student: 'studentId' },
  ],
};

const ofQueue = { parent: 'practice_queue', parentKey: 'id', key: 'queueId' } as const;

const practiceSection: PersonalDataSection = {
  name: 'practice',
  tables: [
    { table: 'practice_queue', student: 'studentId' },
    { table: 'practice_served_item', ...ofQueue },
    { table: 'practice_response', ...ofQueue },
  ],
};

const ofWarmup = { parent: 'warmup_session', parentKey: 'id', key: 'sessionId' } as const;

const warmupSection: PersonalDataSection = {
  name: 'warmup',
  tables: [
    { table: 'warmup_session', student: 'studentId' },
    { table: 'warmup_item', ...ofWarmup },
    { table: 'warmup_event', ...ofWarmup },
  ],
};

const ofReading = { parent: 'orf_assessment', parentKey: 'id', key: 'assessmentId' } as const;

const fluencySection: PersonalDataSection = {
  name: 'fluency',
  tables: [
    { table: 'orf_assessment', student: 'studentId' },
    { table: 'orf_mark', ...ofReading },
    { table: 'cbm_probe', student: 'studentId' },
    { table: 'cbm_trend', student: 'studentId' },
    { table: 'cbm_alert', student: 'studentId' },
  ],
};

/** In the order of the archive. */
export const personalDataSections: readonly PersonalDataSection[] = [
  identitySection,
  diagnosticsSection,
  practiceSection,
  warmupSection,
  fluencySection,
  skillStatusSection,
];
