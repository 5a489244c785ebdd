// The one door through which a live session moves on: as its machine says, with what everybody is told of it.
import type { Trx } from '#core/platform/db.ts';
import { violatedConstraint } from '#core/platform/db.ts';
import { type AppError, conflict } from '#core/platform/errors.ts';
import { type LiveMachine, type LiveMove, type LiveRefusal, stepOf } from '../engine/machine.ts';
import { newsOf } from '../engine/told.ts';
import { releaseJoinCode } from './codes.ts';
import { appendLiveEvents } from './events.ts';
import { changeLive } from './lock.ts';
import type { LiveChange, LiveSessionRow } from './session.ts';

/** The row as it is now; it is locked. CONFLICT with the machine's refusal, or `class_busy`. */
export async function moveLive(
  trx: Trx,
  row: LiveSessionRow,
  move: LiveMove,
  now: Date,
  beside: Pick<LiveChange, 'playlistNo'> = {},
): Promise<LiveSessionRow> {
  const next = nextOf(row, move);
  const moved = await changed(trx, row, { ...changesOf(row, next, now), ...beside });
  await appendLiveEvents(trx, moved, newsOf(row, next), now);
  if (moved.endedAt !== null) await releaseJoinCode(trx, moved);
  return moved;
}

/** CONFLICT where the machine refuses; nothing is written. */
export function nextOf(row: LiveSessionRow, move: LiveMove): LiveMachine {
  const step = stepOf(row, move);
  if ('refused' in step) throw refusalOf(step.refused);
  return step.next;
}

const refusals: Readonly<Record<LiveRefusal, readonly [message: string, field: string]>> = {
  invalid_transition: ['This cannot be done in the present state of the session.', 'state'],
  version_conflict: ['The session has moved on since; look at it again.', 'expectedVersion'],
  empty_playlist: ['There is nothing to show yet; give the session a playlist.', 'playlist'],
  no_such_item: ['The playlist has no such item.', 'itemRef'],
  item_answered: ['An item that was answered stays in the playlist, with its question.', 'itemRefs'],
};

function refusalOf(refused: LiveRefusal): AppError {
  const [message, field] = refusals[refused];
  return conflict(refused, message, field);
}

function changesOf(row: LiveSessionRow, next: LiveMachine, now: Date): LiveChange {
  const { state, controlVersion, itemRefs, currentItemRef, responsesLocked } = next;
  const at = now.toISOString();
  const isOver = state === 'ended' || state === 'cancelled';
  return {
    ...{ state, controlVersion, itemRefs: [...itemRefs], currentItemRef, responsesLocked },
    ...(row.state === 'draft' && state === 'live' && { startedAt: at }),
    ...(isOver && { endedAt: at }),
  };
}

/** LVS-02: one live or paused session a class. The unique index settles it between starts of the same moment. */
async function changed(trx: Trx, row: LiveSessionRow, change: LiveChange): Promise<LiveSessionRow> {
  try {
    return await changeLive(trx, row, change);
  } catch (error) {
    if (violatedConstraint(error) !== 'live_session_one_taught') throw error;
    throw conflict('class_busy', 'Another session of this class is being taught.', 'classId');
  }
}
