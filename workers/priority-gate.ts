// Runs jobs whose results a person waits for before jobs that only follow from them: in a backlog, statuses can be read first,
// and what is derived from them is computed as soon as no awaited job is running.

/** A following job waits at most this long, so that an endless backlog cannot hold it up. */
const longestWaitMs = 2_000;

export interface PriorityGate {
  /** Runs `work` at once. While any such work is running, following work waits. */
  runAwaited<T>(work: () => Promise<T>): Promise<T>;
  /** Runs `work` as soon as no awaited work is running, `stop` is aborted, or it has waited for the longest time. */
  runFollowing<T>(work: () => Promise<T>, stop: AbortSignal): Promise<T>;
}

/** Creates the gate of one process. */
export function createPriorityGate(longestMs = longestWaitMs): PriorityGate {
  let underWay = 0;
  const waiting = new Set<() => void>();
  return {
    async runAwaited(work) {
      underWay += 1;
      try {
        return await work();
      } finally {
        underWay -= 1;
        if (underWay === 0) for (const begin of waiting) begin();
      }
    },
    async runFollowing(work, stop) {
      if (underWay > 0) await waitIn(waiting, longestMs, stop);
      return work();
    },
  };
}

function waitIn(waiting: Set<() => void>, longestMs: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const begin = () => {
      clearTimeout(longest);
      waiting.delete(begin);
      stop.removeEventListener('abort', begin);
      resolve();
    };
    const longest = setTimeout(begin, longestMs);
    waiting.add(begin);
    stop.addEventListener('abort', begin);
    if (stop.aborted) begin();
  });
}
