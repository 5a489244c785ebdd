// Jobs whose results somebody waits for go before jobs that follow from them: in a backlog statuses can be read first, and
// what they lead to comes as soon as there is a moment for it.

/** A job that follows waits no longer than that, so that a backlog without an end holds nothing up. */
const longestWaitMs = 2_000;

export interface Turns {
  /** For as long as one of these is under way, the others wait. */
  awaited<T>(work: () => Promise<T>): Promise<T>;
  /** Begins when none is awaited, `stop` aborts or its wait was long enough. */
  following<T>(work: () => Promise<T>, stop: AbortSignal): Promise<T>;
}

/** Of one process. */
export function turns(longestMs = longestWaitMs): Turns {
  let underWay = 0;
  const waiting = new Set<() => void>();
  return {
    async awaited(work) {
      underWay += 1;
      try {
        return await work();
      } finally {
        underWay -= 1;
        if (underWay === 0) for (const begin of waiting) begin();
      }
    },
    async following(work, stop) {
      if (underWay > 0) await turnOf(waiting, longestMs, stop);
      return work();
    },
  };
}

function turnOf(waiting: Set<() => void>, longestMs: number, stop: AbortSignal): Promise<void> {
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
