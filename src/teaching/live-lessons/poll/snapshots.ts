// The cache of snapshots of this process: concurrent polls share one read, and a newer version replaces the snapshot.
import type { Services } from '#core/module/services.ts';
import { inReadOnlyContext } from '#core/platform/db.ts';
import { type LruCache, lruCache } from '#core/platform/pure/lru-cache.ts';
import type { PolledLive } from './scope.ts';
import { type LiveSnapshot, readSnapshot } from './snapshot.ts';

interface CachedSnapshot {
  readonly version: string;
  readonly snapshot: Promise<LiveSnapshot>;
}

const maxCached = 500;

export class LiveSnapshots {
  readonly #cache: LruCache<CachedSnapshot> = lruCache(maxCached);

  /** Returns a snapshot that is not older than the version with which the caller was authorized. */
  get({ db }: Pick<Services, 'db'>, { row, version }: PolledLive): Promise<LiveSnapshot> {
    const { organizationId, id } = row;
    const key = `${organizationId} ${id}`;
    const wantedVersion = `${version.controlVersion} ${version.seq}`;
    const cached = this.#cache.get(key);
    if (cached?.version === wantedVersion) return cached.snapshot;
    const snapshot = inReadOnlyContext(db, { organizationId }, (trx) => readSnapshot(trx, row, version));
    this.#cache.set(key, { version: wantedVersion, snapshot });
    snapshot.catch(() => this.#invalidate(key, wantedVersion));
    return snapshot;
  }

  /** Makes the next poll read again after a failure. */
  #invalidate(key: string, version: string): void {
    const cached = this.#cache.get(key);
    if (cached?.version === version) this.#cache.set(key, { ...cached, version: '' });
  }
}
