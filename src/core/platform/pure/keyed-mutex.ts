// A mutex for each key, within one process. Work waits in memory and holds no database connection.

export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `work` once all earlier work of `key` has ended, whether it succeeded or failed. */
  runExclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const mine = before.then(work);
    const ended = mine.then(
      () => {},
      () => {},
    );
    this.#last.set(key, ended);
    void ended.then(() => {
      if (this.#last.get(key) === ended) this.#last.delete(key);
    });
    return mine;
  }
}
