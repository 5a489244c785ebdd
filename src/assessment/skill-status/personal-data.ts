// The tables in which the engine stores personal data; error patterns, behaviour and alerts are in this section too.
import type { PersonalDataSection } from '#identity/people/index.ts';

export const skillStatusSection: PersonalDataSection = {
  name: 'skillStatus',
  tables: [
    { table: 'sse_run', student: 'studentId' },
    { table: 'sse_skill_snapshot', student: 'studentId' },
    { table: 'sse_domain_snapshot', student: 'studentId' },
    { table: 'rbm_log', student: 'studentId' },
    { table: 'sse_recompute_request', student: 'studentId' },
    { table: 'sub_flag_indicator', student: 'studentId' },
    { table: 'sub_flag_event', student: 'studentId' },
    { table: 'platform_alert', student: 'studentId' },
  ],
};
