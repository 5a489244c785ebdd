// Keeps rows that were created for one request and are unchanged after it, because it was refused or only read, for the
// next request. A new diagnostic for each refused caller would take longer than all requests.
import type { Target } from '../requests/targets.ts';

type Make = (...of: readonly unknown[]) => Promise<unknown>;

export class KeptRows {
  readonly #rows = new Map<Target, Map<string, Promise<unknown>>>();

  /** Returns the target with its fresh rows kept. */
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

  /** Discards all rows after a request that changed an unknown one of them. */
  forget(): void {
    this.#rows.clear();
  }
}
