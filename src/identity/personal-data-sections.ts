// Where each capability keeps what it knows about a student.
import type { PersonalDataSection } from './personal-data.ts';

export const identitySection: PersonalDataSection = {
  name: 'identity',
  tables: [
    { table: 'app_user', student: 'id', without: ['passwordHash'] },
    { table: 'enrollment', student: 'studentId' },
    { table: 'parent_student', student: 'studentId' },
    { table: 'quick_code', student: 'studentId', without: ['codeHash'] },
    { table: 'external_identity', student: 'userId' },
    { table: 'auth_session', student: 'userId' },
  ],
};

const ofSession = { parent: 'diagnostic_session', parentKey: 'id', key: 'sessionId' } as const;

export const diagnosticsSection: PersonalDataSection = {
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

export const skillStatusSection: PersonalDataSection = {
  name: 'skillStatus',
  tables: [
    { table: 'sse_run', student: 'studentId' },
    { table: 'sse_response_code', ...ofRun },
    { table: 'sse_skill_snapshot', student: 'studentId' },
    { table: 'sse_domain_snapshot', student: 'studentId' },
    { table: 'sse_macro_snapshot', ...ofRun },
    { table: 'rbm_log', student: 'studentId' },
    { table: 'sse_recompute_request', student: 'studentId' },
  ],
};
