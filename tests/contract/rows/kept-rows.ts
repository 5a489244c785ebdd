// Rows that were made for one request and are as new after it, because it was refused or only read: the next request gets
// them again. A diagnostic of its own for each caller who may not even see one takes longer than all that it is made for.
import type { Target } from '../requests/targets.ts';

type Make = (...of: readonly unknown[]) => Promise<unknown>;

export class KeptRows {
  readonly #rows = new Map<Target, Map<string, Promise<unknown>>>();

  /** The target, with its fresh rows kept. */
  of(target: Target): Target {
    const rows = this.#rows.get(target) ?? new Map<string, Promise<unknown>>();
    this.#rows.set(target, rows);
    const keeping = Object.entries(target.fresh).map(([kind, make]: [string, Make]) => {
      const kept: Make = (...of) => {
        const key = JSON.stringify([kind, ...of]);
        const row = rows.get(key) ?? make(...of);
        rows.set(key, row);
        return row;
      };
      return [kind, kept];
    });
    return { ...target, fresh: Object.fromEntries(keeping) as Target['fresh'] };
  }

  /** A request has changed something, and which of them nobody knows. */
  forget(): void {
    this.#rows.clear();
  }
}
