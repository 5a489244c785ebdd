// Replacement of the playlist, with items of a blueprint or of the lesson that is being taught.
import type { Static } from 'typebox';
import type { Trx } from '#core/platform/db.ts';
import { conflict, invalid, notFound } from '#core/platform/errors.ts';
import { type BlueprintItem, findBlueprint } from '../../lesson-blueprints/index.ts';
import { lessonForLive } from '../../lessons/index.ts';
import type { CallWith } from '../call.ts';
import type { NewPlaylist } from '../engine/machine.ts';
import { runningRuns } from '../own-items/store.ts';
import { openRun, seatsOfRun } from '../projector/store.ts';
import type { LiveLessonRow } from '../rows/live-lesson.ts';
import { lockLive } from '../rows/lock.ts';
import { moveLive } from '../rows/move.ts';
import { addPlaylist, replacedRefs } from '../rows/playlist.ts';
import { answeredItemRefs } from '../rows/responses.ts';
import type { LivePlaylistView, PlaylistBody } from './schemas.ts';

type Body = Static<typeof PlaylistBody>;

interface Source {
  readonly blueprintId: string;
  readonly items: readonly BlueprintItem[];
}

/** Throws NOT_FOUND, VALIDATION_ERROR, and CONFLICT `invalid_transition` or `item_answered`. */
export async function setPlaylist(
  { services, trx, body }: CallWith<Body>,
  scoped: LiveLessonRow,
): Promise<Static<typeof LivePlaylistView>> {
  const source = await sourceOf(trx, scoped, body);
  const items = selectItems(source, body.itemRefs);
  const row = await lockLive(trx, scoped.organizationId, scoped.id);
  const now = services.clock.now();
  const move = { kind: 'playlist', ...(await newPlaylist(trx, row, items)) } as const;
  const moved = await moveLive(trx, row, move, now, { playlistNo: row.playlistNo + 1 });
  await addPlaylist(trx, moved, source.blueprintId, items, now);
  return { items, controlVersion: moved.controlVersion };
}

/** Item references are local to a blueprint: `item-1` of two blueprints are different questions. */
async function newPlaylist(trx: Trx, row: LiveLessonRow, items: readonly BlueprintItem[]): Promise<NewPlaylist> {
  const answered = await answeredItemRefs(trx, row);
  const used = new Set([...answered, ...(await openRefs(trx, row))]);
  const replaced = (await replacedRefs(trx, row, items)).filter((itemRef) => used.has(itemRef));
  return { itemRefs: items.map(({ itemRef }) => itemRef), answered, replaced: new Set(replaced) };
}

/** Returns the items that single students currently work on: own items and items of projector seats. */
async function openRefs(trx: Trx, row: LiveLessonRow): Promise<readonly string[]> {
  const own = await runningRuns(trx, row);
  const projector = await openRun(trx, row);
  const seats = projector ? await seatsOfRun(trx, projector) : [];
  return [...own.flatMap(({ itemRefs }) => itemRefs), ...seats.map(({ itemRef }) => itemRef)];
}

async function sourceOf(trx: Trx, row: LiveLessonRow, { blueprintId }: Body): Promise<Source> {
  if (blueprintId !== undefined) {
    const found = await findBlueprint(trx, blueprintId);
    if (!found) throw notFound();
    return { blueprintId, items: found.content.items };
  }
  if (row.sessionId === null) throw invalid('blueprintId', 'is required');
  const prepared = await lessonForLive(trx, row.organizationId, row.sessionId);
  if (!prepared) throw conflict('invalid_transition', 'The lesson that is being taught does not exist.', 'sessionId');
  return { blueprintId: prepared.row.blueprintId, items: prepared.items };
}

function selectItems({ items }: Source, itemRefs: readonly string[]): BlueprintItem[] {
  const byRef = new Map(items.map((item) => [item.itemRef, item]));
  return itemRefs.map((itemRef, at) => {
    const item = byRef.get(itemRef);
    if (!item) throw invalid(`itemRefs.${at}`, 'unknown_item');
    if (itemRefs.indexOf(itemRef) !== at) throw invalid(`itemRefs.${at}`, 'repeated');
    return item;
  });
}
