// The single writer of state changes of a live lesson: applies a move of the state machine and appends its events.
import type { Trx } from '#core/platform/db.ts';
import { violatedConstraint } from '#core/platform/db.ts';
import { type AppError, conflict } from '#core/platform/errors.ts';
import { type LiveMachine, type LiveMove, type LiveRefusal, liveEventsOf, stepOf } from '../engine/machine.ts';
import { releaseJoinCode } from './codes.ts';
import { appendLiveEvents } from './events.ts';
import type { LiveChange, LiveLessonRow } from './live-lesson.ts';
import { changeLive } from './lock.ts';

/** Returns the changed row. The caller holds the lock. Throws CONFLICT with the machine's refusal, or `class_busy`. */
export async function moveLive(
  trx: Trx,
  row: LiveLessonRow,
  move: LiveMove,
  now: Date,
  extra: Pick<LiveChange, 'playlistNo'> = {},
): Promise<LiveLessonRow> {
  const next = nextOf(row, move);
  const moved = await changed(trx, row, { ...changesOf(row, next, now), ...extra });
  await appendLiveEvents(trx, moved, liveEventsOf(row, next), now);
  if (moved.endedAt !== null) await releaseJoinCode(trx, moved);
  return moved;
}

/** Returns the next state without writing it. Throws CONFLICT when the machine refuses the move. */
export function nextOf(row: LiveLessonRow, move: LiveMove): LiveMachine {
  const step = stepOf(row, move);
  if ('refused' in step) throw refusalOf(step.refused);
  return step.next;
}

const refusals: Readonly<Record<LiveRefusal, readonly [message: string, field: string]>> = {
  invalid_transition: ['This cannot be done in the current state of the lesson.', 'state'],
  version_conflict: ['The lesson has changed since. Reload it.', 'expectedVersion'],
  empty_playlist: ['The playlist is empty. Set a playlist first.', 'playlist'],
  no_such_item: ['The playlist has no such item.', 'itemRef'],
  item_answered: ['An answered item cannot be removed from the playlist or replaced.', 'itemRefs'],
};

function refusalOf(refused: LiveRefusal): AppError {
  const [message, field] = refusals[refused];
  return conflict(refused, message, field);
}

function changesOf(row: LiveLessonRow, next: LiveMachine, now: Date): LiveChange {
  const { state, controlVersion, itemRefs, currentItemRef, responsesLocked } = next;
  const at = now.toISOString();
  const isOver = state === 'ended' || state === 'cancelled';
  return {
    state,
    controlVersion,
    itemRefs: [...itemRefs],
    currentItemRef,
    responsesLocked,
    ...(row.state === 'draft' && state === 'live' && { startedAt: at }),
    ...(isOver && { endedAt: at }),
  };
}

/** LVS-02: one live or paused lesson per class. A unique index enforces it between concurrent starts. */
async function changed(trx: Trx, row: LiveLessonRow, change: LiveChange): Promise<LiveLessonRow> {
  try {
    return await changeLive(trx, row, change);
  } catch (error) {
    if (violatedConstraint(error) !== 'live_session_one_taught') throw error;
    throw conflict('class_busy', 'Another lesson of this class is being taught.', 'classId');
  }
}
