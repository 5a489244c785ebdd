// The closed words of documents that workers render. Their kinds are those that capabilities list.

/** `expired`: the file has had its time, or had to go with somebody whom it names. */
export const reportStates = ['queued', 'running', 'done', 'failed', 'expired'] as const;
export type ReportState = (typeof reportStates)[number];

export const reportFailures = ['render_error', 'too_large', 'language_unsafe', 'language_unavailable'] as const;
export type ReportFailure = (typeof reportFailures)[number];
