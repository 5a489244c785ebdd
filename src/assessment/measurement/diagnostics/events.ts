// Records session events: pauses, audio replays, lost focus.
import type { Trx } from '#core/platform/db.ts';
import { invalid } from '#core/platform/errors.ts';
import type { EventRow, SessionStatus } from './engine/state.ts';
import type { OpenSession } from './session.ts';
import { DiagnosticEvent, DiagnosticSession } from './store.ts';

export interface EventInput {
  readonly type: EventRow['type'];
  readonly servedItemId?: string;
  /** ISO 8601, by the clock of the student's device. */
  readonly at: string;
  readonly durationMs?: number;
}

export interface RecordedEvents {
  /**
   * Number of recorded events. A pause while paused, a resume while running and a stored replay are not recorded again.
   */
  readonly accepted: number;
  readonly status: SessionStatus;
}

/**
 * Throws VALIDATION_ERROR for a time outside the session so far or an item that it did not serve; then nothing is
 * recorded.
 */
export async function recordEvents(
  trx: Trx,
  open: OpenSession,
  input: readonly EventInput[],
  now: Date,
): Promise<RecordedEvents> {
  input.forEach((event, index) => {
    refuseForeign(open, event, index, now);
  });
  const fresh = input.filter((event) => !isRepeat(event, open.events));
  const { status, taken } = followStatus(open.session.status, fresh);
  const { id: sessionId, organizationId, schoolYear } = open.session;
  if (taken.length > 0) {
    await DiagnosticEvent.query(trx).insert(
      taken.map(({ type, servedItemId, at, durationMs }) => ({
        organizationId,
        schoolYear,
        sessionId,
        type,
        servedItemId: servedItemId ?? null,
        at: new Date(at).toISOString(),
        durationMs: durationMs ?? null,
        receivedAt: now.toISOString(),
      })),
    );
  }
  if (status !== open.session.status) await DiagnosticSession.query(trx).findById(sessionId).patch({ status });
  return { accepted: taken.length, status };
}

function refuseForeign({ session, served }: OpenSession, event: EventInput, index: number, now: Date): void {
  const atMs = Date.parse(event.at);
  if (!(atMs >= Date.parse(session.startedAt) && atMs <= now.getTime())) {
    throw invalid(`events.${index}.at`, 'is outside the session so far');
  }
  if (event.servedItemId !== undefined && !served.some(({ id }) => id === event.servedItemId)) {
    throw invalid(`events.${index}.servedItemId`, 'was not served in this session');
  }
}

/**
 * Returns whether an audio replay repeats one of an earlier request whose response was lost. Several replays in one
 * request all count.
 */
const isRepeat = ({ type, servedItemId, at, durationMs = 0 }: EventInput, stored: readonly DiagnosticEvent[]) =>
  type === 'audio_replay' &&
  stored.some(
    (one) =>
      one.type === type &&
      one.servedItemId === (servedItemId ?? null) &&
      Date.parse(one.at) === Date.parse(at) &&
      (one.durationMs ?? 0) === durationMs,
  );

function followStatus(
  start: SessionStatus,
  input: readonly EventInput[],
): { status: SessionStatus; taken: EventInput[] } {
  let status = start;
  const taken = input.filter(({ type }) => {
    const ignored = (type === 'pause' && status === 'PAUSED') || (type === 'resume' && status !== 'PAUSED');
    if (type === 'pause') status = 'PAUSED';
    if (type === 'resume') status = 'IN_PROGRESS';
    return !ignored;
  });
  return { status, taken };
}
