// Completes and resumes warm-ups.
import { CommittedRefusal } from '#core/http/guards.ts';
import type { Trx } from '#core/platform/db.ts';
import type { RequestServices } from '../services.ts';
import { answeredItems, endedAs, type WarmupStatus, warmupSummaryOf } from './engine/course.ts';
import { durationMs } from './engine/values.ts';
import { ended, expire, expired, isOpenWarmup, type LockedWarmup, remainingMs, statusAt } from './session.ts';
import { eventRow, loadEvents, WarmupEvent, WarmupSession } from './store.ts';

export interface ClosedWarmup {
  readonly status: WarmupStatus;
  readonly answered: number;
}

/** Closes an open warm-up of any age and counts its training answers. A closed one returns its stored result. */
export async function completeWarmup(
  { training }: Pick<RequestServices, 'training'>,
  trx: Trx,
  { session, events, values }: LockedWarmup,
  now: Date,
): Promise<ClosedWarmup> {
  const rows = events.map(eventRow);
  if (!isOpenWarmup(session)) return { status: session.status, answered: session.answered ?? answeredItems(rows) };
  const summary = warmupSummaryOf(rows, { fromMs: Date.parse(session.startedAt), toMs: now.getTime() });
  const status = endedAs(summary, durationMs(values));
  await WarmupSession.query(trx)
    .findById(session.id)
    .patch({ status, completedAt: now.toISOString(), ...summary });
  if (session.sessionType === 'TRAINING') await training.escalate(trx, session, now);
  return { status, answered: summary.answered };
}

export interface ResumedWarmup {
  readonly status: 'RUNNING';
  readonly remainingMs: number;
}

/**
 * Resumes a warm-up. Throws CONFLICT `ended`; throws CONFLICT `expired` more than ten minutes after the start and
 * stores this status.
 */
export async function resumeWarmup(trx: Trx, locked: LockedWarmup, now: Date): Promise<ResumedWarmup> {
  const { session } = locked;
  if (statusAt(session, now) === 'EXPIRED') {
    await expire(trx, session);
    throw new CommittedRefusal(expired());
  }
  if (!isOpenWarmup(session)) throw ended();
  if (session.status === 'PAUSED') await endPause(trx, session, now);
  return { status: 'RUNNING', remainingMs: remainingMs(locked, await loadEvents(trx, session.id), now) };
}

async function endPause(
  trx: Trx,
  { id: sessionId, organizationId, schoolYear }: WarmupSession,
  now: Date,
): Promise<void> {
  await WarmupEvent.query(trx).insert({
    organizationId,
    schoolYear,
    sessionId,
    type: 'resume',
    receivedAt: now.toISOString(),
  });
  await WarmupSession.query(trx).findById(sessionId).patch({ status: 'RUNNING' });
}
