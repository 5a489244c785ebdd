// Work on one thing waits in line inside a process, in memory and not on a database connection.

export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `work` when everything that was given for `key` before has ended, well or not. */
  take<T>(key: string, work: () => Promise<T>): Promise<T> {
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
