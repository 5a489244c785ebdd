// Where the engine keeps what it says of a student; error patterns, behaviour and alerts are in the same section.
import type { PersonalDataSection } from '../people/index.ts';

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
    { table: 'sub_flag_indicator', student: 'studentId' },
    { table: 'sub_flag_event', student: 'studentId' },
    { table: 'platform_alert', student: 'studentId' },
  ],
};
