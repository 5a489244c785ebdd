// How often each kind of work is tried, and how long it waits in between. Which layer tries what again, and what happens
// afterwards, is the table "Retries" in docs/architecture.md.

/** Jobs of the queue, 1, 2, 4 and 8 s apart. Then the job leaves the queue, and the sweep of its capability adds it again. */
export const jobRetries = { attempts: 5, firstWaitMs: 1_000 } as const;

/** Rows that wait longer after each failure, and are parked after the last one (`platform/failures.ts`). */
export const parkedRetries = { attempts: 10, firstWaitSeconds: 10, longestWaitSeconds: 3_600 } as const;

/** Requests whose table has nothing but `attempts`: their jobs wait in the queue, and daily work asks again. */
export const countedRetries = { attempts: 5 } as const;

/** Reactions to events, 5, 10, 20 and 40 s apart; then the event is parked for that reaction. */
export const reactionRetries = { attempts: 5, firstWaitMs: 5_000 } as const;

/**
 * Leased jobs (`core/long-jobs`) count how often they are begun and not how often they fail: one that kills its process gets no
 * further than to be begun. A job that advances by a step starts anew.
 */
export const stepRetries = { attempts: 5 } as const;
export const documentRetries = { attempts: 3, waitsSeconds: [5, 30] } as const;
export const rosterRetries = { attempts: 3 } as const;

/** Daily work pauses after a failure, and is tried until it ends without one. */
export const dailyRetries = { firstWaitSeconds: 60, longestWaitSeconds: 3_600 } as const;

/** Calls of the operator's address; one that fails waits until its lease has run out. */
export const announcementRetries = { attempts: 3 } as const;
