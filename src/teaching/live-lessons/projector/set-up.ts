// Setup of a projector run for a class with one projector: seats that show one item each, without names.
import type { Actor } from '#core/http/route.ts';
import type { Trx } from '#core/platform/db.ts';
import { invalid } from '#core/platform/errors.ts';
import type { BlueprintItem } from '../../lesson-blueprints/index.ts';
import { firstRepeat, type Seat, type SeatInput, seatsOf } from '../engine/projector.ts';
import { requireMembers } from '../members.ts';
import type { LiveLessonRow } from '../rows/live-lesson.ts';
import { requireLiveState } from '../rows/live-lesson.ts';
import { liveItems } from '../rows/playlist.ts';
import { answeredBy } from '../rows/responses.ts';
import { closeRun, insertRun, openRun } from './store.ts';

interface SetUpContext {
  readonly trx: Trx;
  readonly actor: Actor;
  readonly now: Date;
}

export interface DisplayedSeat {
  readonly seatNo: number;
  readonly item: BlueprintItem;
}

/**
 * Opens a run and discards the previous one. The caller holds the lock. Throws VALIDATION_ERROR `repeated`, `unknown_item` or
 * `not_in_class`, NOT_FOUND, PERMISSION_DENIED, and CONFLICT `invalid_transition`.
 */
export async function setUpRun(
  ctx: SetUpContext,
  row: LiveLessonRow,
  inputs: readonly SeatInput[],
): Promise<{ readonly projectorRunId: string; readonly display: readonly DisplayedSeat[] }> {
  const { trx, actor, now } = ctx;
  requireDifferent(inputs);
  const named = inputs.map(({ studentId }, at) => ({ studentId, field: `seats.${at}.studentId` }));
  await requireMembers(ctx, row, named);
  const items = new Map((await liveItems(trx, row)).map((item) => [item.itemRef, item]));
  const unknown = inputs.findIndex(({ itemRef }) => itemRef !== undefined && !items.has(itemRef));
  if (unknown !== -1) throw invalid(`seats.${unknown}.itemRef`, 'unknown_item');
  requireLiveState(row, ['live']);
  const seats = await seatsFor(trx, row, inputs, [...items.keys()]);
  const before = await openRun(trx, row);
  if (before) await closeRun(trx, before, { state: 'discarded' }, now);
  const projectorRunId = await insertRun(trx, row, actor.userId, seats, now);
  return { projectorRunId, display: seats.flatMap((seat) => displayedSeat(seat, items)) };
}

function requireDifferent(inputs: readonly SeatInput[]): void {
  for (const key of ['seatNo', 'studentId'] as const) {
    const at = firstRepeat(inputs.map((input) => input[key]));
    if (at !== undefined) throw invalid(`seats.${at}.${key}`, 'repeated');
  }
}

async function seatsFor(trx: Trx, row: LiveLessonRow, inputs: readonly SeatInput[], playlist: readonly string[]) {
  const answered = await answeredBy(
    trx,
    row,
    inputs.map(({ studentId }) => studentId),
  );
  return seatsOf(inputs, playlist, answered);
}

function displayedSeat({ seatNo, itemRef }: Seat, items: ReadonlyMap<string, BlueprintItem>): DisplayedSeat[] {
  const item = items.get(itemRef);
  return item ? [{ seatNo, item }] : [];
}
