// The attempts of each kind of work, and the waits between them. Which layer retries what, and what happens afterwards, is the
// table "Retries" in docs/architecture.md.

/**
 * Jobs of the queue, with waits of 1, 2, 4 and 8 s. Then the job leaves the queue, and the sweep of its capability adds it
 * again.
 */
export const jobRetries = { attempts: 5, firstWaitMs: 1_000 } as const;

/** Rows whose waits grow with each failure, and that are parked after the last one (`platform/failures.ts`). */
export const parkedRetries = { attempts: 10, firstWaitSeconds: 10, longestWaitSeconds: 3_600 } as const;

/** Requests whose table has only `attempts`: their jobs wait in the queue, and daily work requests them again. */
export const countedRetries = { attempts: 5 } as const;

/** Reactions to events, with waits of 5, 10, 20 and 40 s. Then the event is parked for that reaction. */
export const reactionRetries = { attempts: 5, firstWaitMs: 5_000 } as const;

/**
 * Leased jobs (`core/long-jobs`) count attempts when they begin, because a job that kills its process never fails. A job that
 * advances by a step starts over.
 */
export const stepRetries = { attempts: 5 } as const;
export const documentRetries = { attempts: 3, waitsSeconds: [5, 30] } as const;
export const rosterRetries = { attempts: 3 } as const;

/** Daily work waits after a failure, and is retried until it succeeds. */
export const dailyRetries = { firstWaitSeconds: 60, longestWaitSeconds: 3_600 } as const;

/** Calls of the operator's URL; a failed one waits until its lease has expired. */
export const announcementRetries = { attempts: 3 } as const;
