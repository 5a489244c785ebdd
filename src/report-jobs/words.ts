// The closed words of documents that workers render.

/** As they stand on the wire. */
export const reportKindNames = ['session_pdf', 'class_report', 'board_report', 'parent_letters'] as const;
export type ReportKindName = (typeof reportKindNames)[number];

/** Those that are read at `/api/report-jobs`; the others have addresses of their own. */
export const sharedKindNames = ['session_pdf', 'class_report', 'board_report'] as const;
export type SharedKindName = (typeof sharedKindNames)[number];

/** Which queue carries the jobs of a kind. */
export const queueOfKind: Readonly<Record<ReportKindName, string>> = {
  session_pdf: 'session-pdf',
  class_report: 'class-report',
  board_report: 'board-report',
  parent_letters: 'parent-letters',
};

/**
 * How long the same document is asked for once: as long as its file is there, or while it is on its way, so that whoever asks
 * later gets later facts.
 */
export const askedOnce: Readonly<Record<ReportKindName, 'while_kept' | 'while_open'>> = {
  session_pdf: 'while_kept',
  class_report: 'while_open',
  board_report: 'while_open',
  parent_letters: 'while_open',
};

/** `expired`: the file has had its time, or had to go with somebody whom it names. */
export const reportStates = ['queued', 'running', 'done', 'failed', 'expired'] as const;
export type ReportState = (typeof reportStates)[number];

export const reportFailures = ['render_error', 'too_large', 'language_unsafe', 'language_unavailable'] as const;
export type ReportFailure = (typeof reportFailures)[number];
