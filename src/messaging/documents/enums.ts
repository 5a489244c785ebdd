// The enums of rendered documents. Their kinds are those that capabilities declare.

/** `expired`: the file has reached its age, or was removed with a person whom it names. */
export const reportStates = ['queued', 'running', 'done', 'failed', 'expired'] as const;
export type ReportState = (typeof reportStates)[number];

export const reportFailures = ['render_error', 'too_large', 'language_unsafe', 'language_unavailable'] as const;
export type ReportFailure = (typeof reportFailures)[number];
