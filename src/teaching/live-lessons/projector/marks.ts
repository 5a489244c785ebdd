// Marks of the seats of a projector run, and the commit, which turns the marks into answers once.
import type { Trx } from '#core/platform/db.ts';
import { conflict, invalid, notFound } from '#core/platform/errors.ts';
import type { BlueprintItem } from '../../lesson-blueprints/index.ts';
import { responseRecorded } from '../answers/submit.ts';
import { firstRepeat, isAnswer, type MarkInput, markContradiction } from '../engine/projector.ts';
import { finishRuns } from '../own-items/runs.ts';
import { appendLiveEvents } from '../rows/events.ts';
import type { LiveLessonRow } from '../rows/live-lesson.ts';
import { liveItems } from '../rows/playlist.ts';
import { answeredBy, appendLiveResponses, type NewResponse } from '../rows/responses.ts';
import { closeRun, findRun, type LiveProjectorRun, type StoredSeat, saveMarks, seatsOfRun } from './store.ts';

type Items = ReadonlyMap<string, BlueprintItem>;

/** Returns the items with keys, in the version of the playlist of the run. */
export const itemsOfRun = async (trx: Trx, row: LiveLessonRow, run: LiveProjectorRun): Promise<Items> =>
  new Map((await liveItems(trx, row, run.playlistNo)).map((item) => [item.itemRef, item]));

/** The caller holds the lock. Throws NOT_FOUND, also for a run of another lesson. */
export async function runOf(trx: Trx, row: LiveLessonRow, projectorRunId: string): Promise<LiveProjectorRun> {
  const run = await findRun(trx, row, projectorRunId);
  if (!run) throw notFound();
  return run;
}

function requireOpen({ state }: LiveProjectorRun): void {
  if (state !== 'open') throw conflict('invalid_transition', `This run is ${state}.`, 'projectorRunId');
}

/**
 * Stores marks; `remaining` is the number of seats without a mark. The caller holds the lock. Throws VALIDATION_ERROR
 * `repeated`, `unknown_seat`, `out_of_range` or `contradicts_mark`, and CONFLICT `invalid_transition`.
 */
export async function markSeats(
  trx: Trx,
  row: LiveLessonRow,
  run: LiveProjectorRun,
  marks: readonly MarkInput[],
  now: Date,
): Promise<{ readonly marked: number; readonly remaining: number }> {
  const seats = await seatsOfRun(trx, run);
  requireMarks(marks, seats, await itemsOfRun(trx, row, run));
  requireOpen(run);
  await saveMarks(trx, run, marks, now);
  const marked = new Set(marks.map(({ seatNo }) => seatNo));
  const remaining = seats.filter(({ seatNo, mark }) => mark === null && !marked.has(seatNo)).length;
  return { marked: marks.length, remaining };
}

function requireMarks(marks: readonly MarkInput[], seats: readonly StoredSeat[], items: Items): void {
  const repeat = firstRepeat(marks.map(({ seatNo }) => seatNo));
  if (repeat !== undefined) throw invalid(`marks.${repeat}.seatNo`, 'repeated');
  for (const [at, mark] of marks.entries()) {
    const item = items.get(seats.find(({ seatNo }) => seatNo === mark.seatNo)?.itemRef ?? '');
    if (!item) throw invalid(`marks.${at}.seatNo`, 'unknown_seat');
    const issue = markContradiction(mark, item);
    if (issue) throw invalid(`marks.${at}.selectedOptionIndex`, issue);
  }
}

export interface Committed {
  readonly committed: number;
  readonly skipped: number;
}

/**
 * Commits a run. A committed run returns its stored result in every state of the lesson. The caller holds the lock. Throws
 * CONFLICT for a discarded run.
 */
export async function commitRun(trx: Trx, row: LiveLessonRow, run: LiveProjectorRun, now: Date): Promise<Committed> {
  const { committed: before, skipped } = run;
  if (before !== null && skipped !== null) return { committed: before, skipped };
  requireOpen(run);
  const seats = await seatsOfRun(trx, run);
  const responses = await responsesOf(trx, row, run, seats);
  const result = { committed: responses.length, skipped: seats.length - responses.length };
  await closeRun(trx, run, { state: 'committed', ...result }, now);
  await appendLiveResponses(trx, row, responses, now);
  const event = { type: 'projector_committed', data: { runId: run.id, ...result } } as const;
  await appendLiveEvents(trx, row, [...responses.map(responseRecorded), event], now);
  const studentIds = responses.map(({ studentId }) => studentId);
  await finishRuns(trx, row, studentIds, now);
  return result;
}

/** Returns the answers of marked seats whose student has not answered the item otherwise. */
async function responsesOf(
  trx: Trx,
  row: LiveLessonRow,
  run: LiveProjectorRun,
  seats: readonly StoredSeat[],
): Promise<NewResponse[]> {
  const items = await itemsOfRun(trx, row, run);
  const answered = await answeredBy(
    trx,
    row,
    seats.map(({ studentId }) => studentId),
  );
  return seats.flatMap(({ studentId, itemRef, mark, selectedOptionIndex }) => {
    const item = items.get(itemRef);
    if (!item || !isAnswer(mark) || answered(studentId).has(itemRef)) return [];
    const response = { studentId, item, source: 'projector', runId: run.id, clientResponseId: null } as const;
    return [{ ...response, selectedOptionIndex, correct: mark === 'correct', supportUsed: false }];
  });
}
