// Playlists of a live lesson: copies of the items at the time of creation. A playlist is immutable and can be cached; a new one
// has the next number.
import { isDeepStrictEqual } from 'node:util';
import type { Trx } from '#core/platform/db.ts';
import { Row } from '#core/platform/model.ts';
import { type LruCache, lruCache } from '#core/platform/pure/lru-cache.ts';
import type { BlueprintItem } from '../../lesson-blueprints/index.ts';
import type { LiveLessonRow } from './live-lesson.ts';

class LivePlaylist extends Row {
  static override tableName = 'live_playlist';
  static override idColumn = ['organizationId', 'liveSessionId', 'playlistNo', 'schoolYear'];
  static override jsonAttributes = ['items'];
  declare organizationId: string;
  declare schoolYear: string;
  declare liveSessionId: string;
  declare playlistNo: number;
  declare blueprintId: string;
  /** Items with keys, in the order of the playlist. */
  declare items: BlueprintItem[];
  declare createdAt: string;
}

type PlaylistKey = Pick<LiveLessonRow, 'organizationId' | 'schoolYear' | 'id' | 'playlistNo'>;

const maxCached = 200;
const known: LruCache<readonly BlueprintItem[]> = lruCache(maxCached);

/** Returns the items with keys, in order; none without a playlist. `playlistNo` selects the playlist of a run. */
export async function liveItems(
  trx: Trx,
  row: PlaylistKey,
  playlistNo = row.playlistNo,
): Promise<readonly BlueprintItem[]> {
  if (playlistNo === 0) return [];
  const { organizationId, schoolYear, id: liveSessionId } = row;
  const key = `${organizationId} ${liveSessionId} ${playlistNo}`;
  const cached = known.get(key);
  if (cached) return cached;
  const playlistKey = { organizationId, schoolYear, liveSessionId, playlistNo };
  const { items } = await LivePlaylist.query(trx).findOne(playlistKey).select('items').throwIfNotFound();
  known.set(key, items);
  return items;
}

/** Returns the references that named another question in the latest playlist that contained them. */
export async function replacedRefs(trx: Trx, row: PlaylistKey, items: readonly BlueprintItem[]): Promise<string[]> {
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

/** Stores the playlist with the number `playlistNo`. */
export async function addPlaylist(
  trx: Trx,
  { organizationId, schoolYear, id: liveSessionId, playlistNo }: PlaylistKey,
  blueprintId: string,
  items: readonly BlueprintItem[],
  now: Date,
): Promise<void> {
  const key = { organizationId, schoolYear, liveSessionId, playlistNo };
  await LivePlaylist.query(trx).insert({ ...key, blueprintId, items: [...items], createdAt: now.toISOString() });
}
