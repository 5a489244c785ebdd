// The snapshots that this process has read, each as long as it is the newest: of all who ask at once one reads.
import type { Services } from '#core/module/services.ts';
import { inReadOnlyContext } from '#core/platform/db.ts';
import { type LruCache, lruCache } from '#core/platform/pure/lru-cache.ts';
import type { PolledLive } from './scope.ts';
import { type LiveSnapshot, readSnapshot } from './snapshot.ts';

interface Kept {
  readonly of: string;
  readonly snapshot: Promise<LiveSnapshot>;
}

const mostKept = 500;

export class LiveSnapshots {
  readonly #kept: LruCache<Kept> = lruCache(mostKept);

  /** Not older than what the caller was admitted by. */
  get({ db }: Pick<Services, 'db'>, { row, version }: PolledLive): Promise<LiveSnapshot> {
    const { organizationId, id } = row;
    const key = `${organizationId} ${id}`;
    const of = `${version.controlVersion} ${version.seq}`;
    const kept = this.#kept.get(key);
    if (kept?.of === of) return kept.snapshot;
    const snapshot = inReadOnlyContext(db, { organizationId }, (trx) => readSnapshot(trx, row, version));
    this.#kept.set(key, { of, snapshot });
    snapshot.catch(() => this.#forget(key, of));
    return snapshot;
  }

  /** What could not be read is read again by the next who asks. */
  #forget(key: string, of: string): void {
    const kept = this.#kept.get(key);
    if (kept?.of === of) this.#kept.set(key, { ...kept, of: '' });
  }
}
