// Signals of clients: heartbeat, raised hand, leaving, begin and end of a segment. The time is the service's, not the client's.
import type { Static } from 'typebox';
import type { Trx } from '#core/platform/db.ts';
import { invalid } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { CallWith } from '../call.ts';
import { expiresAt } from '../engine/machine.ts';
import { type LiveSignal, staffSignals, studentSignals, taughtStates } from '../enums.ts';
import { appendLiveEvents, type NewLiveEvent } from '../rows/events.ts';
import type { LiveLessonRow } from '../rows/live-lesson.ts';
import { requireLiveState } from '../rows/live-lesson.ts';
import { lockLive } from '../rows/lock.ts';
import { LiveParticipant } from '../rows/participants.ts';
import type { Recorded, SignalsBody } from './schemas.ts';

type Body = Static<typeof SignalsBody>;
type Signal = Body['events'][number];

/** Maximum number of stored rows per sender and lesson; further signals get a response and are not stored. */
const maxSignals = 200;

/**
 * Throws VALIDATION_ERROR for signals of another role, and CONFLICT. A repeated signal is a duplicate, also after the end,
 * because a device sends again until it receives a response. A signal that is still active is a duplicate too.
 */
export async function recordSignals(
  { services, trx, actor, body }: CallWith<Body>,
  { organizationId, id }: LiveLessonRow,
): Promise<Static<typeof Recorded>> {
  const isStudent = actor.persona === 'STUDENT';
  requireOwn(body.events, isStudent ? studentSignals : staffSignals);
  const row = await lockLive(trx, organizationId, id);
  const now = services.clock.now();
  const isOver = row.endedAt !== null;
  if (isOver && (await areAllKnown(trx, row, body.events))) return { accepted: 0, duplicates: body.events.length };
  requireLiveState(row, taughtStates);
  const { received, stored } = await acceptSignals(trx, row, body.events, { userId: actor.userId, isStudent }, now);
  if (isStudent) await updatePresence(trx, row, actor.userId, received, now);
  await appendLiveEvents(
    trx,
    row,
    stored.flatMap((type) => eventOf(type, isStudent ? actor.userId : undefined)),
    now,
  );
  return { accepted: stored.length, duplicates: body.events.length - stored.length };
}

function requireOwn(events: readonly Signal[], own: readonly LiveSignal[]): void {
  const at = events.findIndex(({ type }) => !own.includes(type));
  if (at !== -1) throw invalid(`events.${at}.type`, 'not_for_caller');
}

async function areAllKnown(trx: Trx, row: LiveLessonRow, events: readonly Signal[]): Promise<boolean> {
  const ids = new Set(events.map(({ clientEventId }) => clientEventId.toLowerCase()));
  const [found] = await rowsOf<{ known: number }>(
    trx,
    `select count(*)::integer as known from live_client_event
     where organization_id = :organizationId and live_session_id = :id and client_event_id = any(:ids::text[])`,
    { organizationId: row.organizationId, id: row.id, ids: [...ids] },
  );
  return found?.known === ids.size;
}

/** The types of new signals in order: all `received` ones, and those that were `stored`. */
interface AcceptedSignals {
  readonly received: LiveSignal[];
  readonly stored: LiveSignal[];
}

/**
 * The first of two signals with the same id counts. A signal of a student is stored once while it is active, and each sender has
 * at most `maxSignals` rows. The caller holds the lock of the lesson.
 */
async function acceptSignals(
  trx: Trx,
  row: LiveLessonRow,
  events: readonly Signal[],
  sender: { readonly userId: number; readonly isStudent: boolean },
  now: Date,
): Promise<AcceptedSignals> {
  const before = await signalsBefore(trx, row, events, sender.userId);
  const known = new Set(before.map(({ clientEventId }) => clientEventId));
  const own = before.filter(({ userId }) => userId === sender.userId);
  const active = sender.isStudent ? await activeSignals(trx, row, own, sender.userId) : undefined;
  let remaining = maxSignals - own.length;
  const received: LiveSignal[] = [];
  const stored: Signal[] = [];
  for (const event of events) {
    const id = event.clientEventId.toLowerCase();
    if (known.has(id)) continue;
    known.add(id);
    received.push(event.type);
    if (remaining <= 0 || active?.has(event.type)) continue;
    active?.add(event.type);
    stored.push({ ...event, clientEventId: id });
    remaining -= 1;
  }
  await insertSignals(trx, row, stored, sender.userId, now);
  return { received, stored: stored.map(({ type }) => type) };
}

interface SignalRow {
  readonly clientEventId: string;
  readonly userId: number;
  readonly type: LiveSignal;
  readonly controlVersion: number | null;
}

/** Returns the stored signals of the sender, and those of anyone with one of the ids. */
const signalsBefore = (
  trx: Trx,
  { organizationId, id }: LiveLessonRow,
  events: readonly Signal[],
  userId: number,
): Promise<SignalRow[]> =>
  rowsOf<SignalRow>(
    trx,
    `select client_event_id, user_id, type, control_version from live_client_event
     where organization_id = :organizationId and live_session_id = :id
       and (user_id = :userId or client_event_id = any(:ids::text[]))`,
    { organizationId, id, userId, ids: events.map(({ clientEventId }) => clientEventId.toLowerCase()) },
  );

/** A raised hand is active until the teacher moves on, `left` until the student joins again. */
async function activeSignals(
  trx: Trx,
  { organizationId, id: liveSessionId, controlVersion }: LiveLessonRow,
  own: readonly SignalRow[],
  studentId: number,
): Promise<Set<LiveSignal>> {
  const active = new Set(
    own.filter((row) => row.type !== 'left' && row.controlVersion === controlVersion).map(({ type }) => type),
  );
  const participant = await LiveParticipant.query(trx).findOne({ organizationId, liveSessionId, studentId });
  return participant && participant.leftAt !== null ? active.add('left') : active;
}

async function insertSignals(
  trx: Trx,
  row: LiveLessonRow,
  signals: readonly Signal[],
  userId: number,
  now: Date,
): Promise<void> {
  if (signals.length === 0) return;
  await trx.raw(
    `insert into live_client_event
       (organization_id, live_session_id, client_event_id, user_id, type, control_version, received_at, expires_at)
     select :organizationId, :id, e ->> 'clientEventId', :userId, e ->> 'type', :controlVersion, :now, :until
     from jsonb_array_elements(:signals::jsonb) e`,
    {
      organizationId: row.organizationId,
      id: row.id,
      controlVersion: row.controlVersion,
      userId,
      now: now.toISOString(),
      until: expiresAt(row).toISOString(),
      signals: JSON.stringify(signals.map(({ clientEventId, type }) => ({ clientEventId, type }))),
    },
  );
}

/** Updates the time of the last signal, and of leaving. */
async function updatePresence(
  trx: Trx,
  { organizationId, id: liveSessionId }: LiveLessonRow,
  studentId: number,
  received: readonly LiveSignal[],
  now: Date,
): Promise<void> {
  if (received.length === 0) return;
  const at = now.toISOString();
  const presence = { lastSeenAt: at, ...(received.includes('left') && { leftAt: at }) };
  await LiveParticipant.query(trx).where({ organizationId, liveSessionId, studentId }).patch(presence);
}

/** A heartbeat raises no event. */
function eventOf(signal: LiveSignal, studentId: number | undefined): NewLiveEvent[] {
  if (signal === 'heartbeat') return [];
  const type = signal === 'left' ? 'participant_left' : signal;
  return [{ type, ...(studentId !== undefined && { studentId, data: { studentId } }) }];
}
