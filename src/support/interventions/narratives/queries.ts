// Queries of narratives: pending ones, and those in force.
import { defaultLimit, keyInCursor, type Page, type PageQuery, pageOf } from '#core/http/pages.ts';
import type { Trx } from '#core/platform/db.ts';
import type { Narrative } from './engine/narrative.ts';
import type { Audience, NarratedProfile, NarrativeWindow } from './enums.ts';
import { presentPending } from './present.ts';
import { type NarrativeRow, narrativeColumns, ProfileNarrative } from './store.ts';

/** Oldest first. */
export async function pendingPage(
  trx: Trx,
  { limit = defaultLimit, cursor }: PageQuery,
): Promise<Page<ReturnType<typeof presentPending>>> {
  const after = keyInCursor(cursor, ['instant', 'string']);
  const query = ProfileNarrative.query(trx).where({ state: 'pending_review' });
  if (after) query.whereRaw('(created_at, id) > (?, ?)', [...after]);
  const rows: NarrativeRow[] = await query
    .orderBy(['createdAt', 'id'])
    .limit(limit + 1)
    .select(narrativeColumns)
    .castTo<NarrativeRow[]>();
  return pageOf(rows, limit, ({ createdAt, id }) => [createdAt, id], presentPending);
}

const inForce = (trx: Trx) => ProfileNarrative.query(trx).where({ state: 'approved' });
const contentColumns = ['profileCode', 'audience', 'season as window', 'titleAr', 'bodyAr', 'suggestions'];

/** All narratives in force, by slot. */
export const narrativesInForce = async (trx: Trx): Promise<readonly Narrative[]> =>
  inForce(trx).orderBy(['profileCode', 'audience', 'season']).select(contentColumns).castTo<Narrative[]>();

/** The narrative of the season, or the one for any season. */
export async function narrativeInForce(
  trx: Trx,
  { profileCode, audience, window }: { profileCode: NarratedProfile; audience: Audience; window: NarrativeWindow },
): Promise<Narrative | undefined> {
  const found: Narrative[] = await inForce(trx)
    .where({ profileCode, audience })
    .whereIn('season', [window, 'ANY'])
    .select(contentColumns)
    .castTo<Narrative[]>();
  return found.find((one) => one.window === window) ?? found[0];
}

/** Those of the season and those for any, of all profiles. */
export const narrativesFor = async (
  trx: Trx,
  { audience, window }: { audience: Audience; window: NarrativeWindow },
): Promise<readonly Narrative[]> =>
  inForce(trx).where({ audience }).whereIn('season', [window, 'ANY']).select(contentColumns).castTo<Narrative[]>();
