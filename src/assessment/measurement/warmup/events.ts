// Records events of a warm-up from batches that may arrive repeatedly and late.

import type { Trx } from '#core/platform/db.ts';
import { invalid } from '#core/platform/errors.ts';
import type { Item, ItemBank } from '../../content/index.ts';
import { freshEvents, outOfOrder } from './engine/batch.ts';
import { openStatus, type WarmupEventRow } from './engine/course.ts';
import { durationMs } from './engine/values.ts';
import { type LockedWarmup, remainingMs } from './session.ts';
import { loadEvents, loadItems, WarmupEvent, WarmupSession } from './store.ts';

export interface WarmupEventInput {
  readonly seq: number;
  readonly type: WarmupEventRow['type'];
  /** Running time by the device's count. */
  readonly atMs: number;
  /** The bank's id or the public one. */
  readonly itemId?: string;
  readonly selectedOptionIndex?: number;
}

export interface RecordedWarmupEvents {
  readonly accepted: number;
  readonly duplicates: number;
  readonly status: 'RUNNING' | 'PAUSED';
  readonly remainingMs: number;
}

interface PlacedEvent extends WarmupEventInput {
  /** Path of its field in the request. */
  readonly field: string;
}

/**
 * Throws VALIDATION_ERROR for a time after the end or one that decreases with the number, an item outside the plan, or
 * an unknown option; then nothing of the batch is recorded. Events with known numbers are ignored.
 */
export async function recordWarmupEvents(
  trx: Trx,
  locked: LockedWarmup,
  bank: ItemBank,
  input: readonly WarmupEventInput[],
  now: Date,
): Promise<RecordedWarmupEvents> {
  const { session, events, values } = locked;
  const known = events.flatMap(({ seq, atMs }) => (seq === null || atMs === null ? [] : [{ seq, atMs }]));
  const placed = input.map((event, at) => ({ ...event, field: `events.${at}` }));
  const fresh = freshEvents(placed, new Set(known.map(({ seq }) => seq)));
  const late = fresh.find(({ atMs }) => atMs > durationMs(values));
  if (late) throw invalid(`${late.field}.atMs`, `is after the end at ${durationMs(values)}`);
  const misplaced = outOfOrder(fresh, known);
  if (misplaced) throw invalid(`${misplaced.field}.atMs`, 'falls while seq rises');
  const plan = new Set((await loadItems(trx, session.id)).map(({ itemId }) => itemId));
  const rows = fresh.map((event) => rowOf(session, event, plannedItem(event, bank, plan), now));
  if (rows.length > 0) await WarmupEvent.query(trx).insert(rows);
  const status = openStatus(fresh, session.status === 'PAUSED' ? 'PAUSED' : 'RUNNING');
  if (status !== session.status) await WarmupSession.query(trx).findById(session.id).patch({ status });
  const left = remainingMs(locked, await loadEvents(trx, session.id), now);
  return { accepted: fresh.length, duplicates: input.length - fresh.length, status, remainingMs: left };
}

/** Returns undefined for an event without an item. */
function plannedItem(event: PlacedEvent, bank: ItemBank, plan: ReadonlySet<string>): Item | undefined {
  if (event.itemId === undefined) {
    if (event.type === 'answer') throw invalid(`${event.field}.itemId`, 'is required');
    return undefined;
  }
  const item = bank.find(event.itemId);
  if (!item || !plan.has(item.id)) throw invalid(`${event.field}.itemId`, 'is not an item of this warm-up');
  return item;
}

function rowOf(session: WarmupSession, event: PlacedEvent, item: Item | undefined, now: Date) {
  const { seq, type, atMs } = event;
  return {
    organizationId: session.organizationId,
    schoolYear: session.schoolYear,
    sessionId: session.id,
    seq,
    type,
    atMs,
    itemId: item?.id ?? null,
    ...choiceOf(event, item),
    receivedAt: now.toISOString(),
  };
}

function choiceOf({ type, selectedOptionIndex: index, field }: PlacedEvent, item: Item | undefined) {
  const at = `${field}.selectedOptionIndex`;
  if (type !== 'answer') {
    if (index !== undefined) throw invalid(at, 'belongs to an answer');
    return { selectedOptionIndex: null, correct: null };
  }
  if (index === undefined) throw invalid(at, 'is required');
  if (index >= (item?.options.length ?? 0)) throw invalid(at, 'is not an option of this item');
  return { selectedOptionIndex: index, correct: index === item?.correctIndex };
}
