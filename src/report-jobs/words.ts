// The closed words of documents that workers render.

/** As they stand on the wire. */
export const reportKindNames = ['session_pdf'] as const;
export type ReportKindName = (typeof reportKindNames)[number];

/** Which queue carries the jobs of a kind. */
export const queueOfKind: Readonly<Record<ReportKindName, string>> = { session_pdf: 'session-pdf' };

/** `expired`: the file has had its time, or had to go with somebody whom it names. */
export const reportStates = ['queued', 'running', 'done', 'failed', 'expired'] as const;
export type ReportState = (typeof reportStates)[number];

export const reportFailures = ['render_error', 'too_large', 'language_unsafe', 'language_unavailable'] as const;
export type ReportFailure = (typeof reportFailures)[number];
