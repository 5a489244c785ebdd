// What a live session shows: items as they were when the playlist was made. A playlist never changes; a new one has the next
// number, so what was read of one may be kept in memory.
import { isDeepStrictEqual } from 'node:util';
import type { Trx } from '#core/platform/db.ts';
import { Row } from '#core/platform/model.ts';
import { type LruCache, lruCache } from '#core/platform/pure/lru-cache.ts';
import type { BlueprintItem } from '../../lesson-blueprints/index.ts';
import type { LiveSessionRow } from './session.ts';

class LivePlaylist extends Row {
  static override tableName = 'live_playlist';
  static override idColumn = ['organizationId', 'liveSessionId', 'playlistNo', 'schoolYear'];
  static override jsonAttributes = ['items'];
  declare organizationId: string;
  declare schoolYear: string;
  declare liveSessionId: string;
  declare playlistNo: number;
  declare blueprintId: string;
  /** With their keys, in the order of the playlist. */
  declare items: BlueprintItem[];
  declare createdAt: string;
}

type Place = Pick<LiveSessionRow, 'organizationId' | 'schoolYear' | 'id' | 'playlistNo'>;

const mostInMemory = 200;
const known: LruCache<readonly BlueprintItem[]> = lruCache(mostInMemory);

/** Items with keys, in their order; none where there is no playlist yet. `playlistNo`: the one that a run was made with. */
export async function liveItems(trx: Trx, row: Place, playlistNo = row.playlistNo): Promise<readonly BlueprintItem[]> {
  if (playlistNo === 0) return [];
  const { organizationId, schoolYear, id: liveSessionId } = row;
  const key = `${organizationId} ${liveSessionId} ${playlistNo}`;
  const kept = known.get(key);
  if (kept) return kept;
  const place = { organizationId, schoolYear, liveSessionId, playlistNo };
  const { items } = await LivePlaylist.query(trx).findOne(place).select('items').throwIfNotFound();
  known.set(key, items);
  return items;
}

/** References of those of `items` that named another question when the session showed them last. */
export async function replacedRefs(trx: Trx, row: Place, items: readonly BlueprintItem[]): Promise<string[]> {
  const { organizationId, schoolYear, id: liveSessionId } = row;
  const playlists = await LivePlaylist.query(trx)
    .where({ organizationId, schoolYear, liveSessionId })
    .orderBy('playlistNo')
    .select('items');
  const shown = new Map(playlists.flatMap((playlist) => playlist.items).map((item) => [item.itemRef, item]));
  return items.flatMap((item) => {
    const before = shown.get(item.itemRef);
    return before === undefined || isDeepStrictEqual(before, item) ? [] : [item.itemRef];
  });
}

/** As number `playlistNo` of the session. */
export async function addPlaylist(
  trx: Trx,
  { organizationId, schoolYear, id: liveSessionId, playlistNo }: Place,
  blueprintId: string,
  items: readonly BlueprintItem[],
  now: Date,
): Promise<void> {
  const place = { organizationId, schoolYear, liveSessionId, playlistNo };
  await LivePlaylist.query(trx).insert({ ...place, blueprintId, items: [...items], createdAt: now.toISOString() });
}
