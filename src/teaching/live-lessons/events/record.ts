// What clients say of themselves: that they are there, that a hand is up, that a segment has begun. Their clocks are not
// asked; the moment is that of the service.
import type { Static } from 'typebox';
import type { Trx } from '#core/platform/db.ts';
import { invalid } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { CallWith } from '../call.ts';
import { lastMoment } from '../engine/limits.ts';
import { type LiveSignal, staffSignals, studentSignals, taughtStates } from '../enums.ts';
import { appendLiveEvents, type NewLiveEvent } from '../rows/events.ts';
import { lockLive } from '../rows/lock.ts';
import { LiveParticipant } from '../rows/participants.ts';
import { requireState } from '../rows/require-state.ts';
import type { LiveSessionRow } from '../rows/session.ts';
import type { Recorded, SignalsBody } from './schemas.ts';

type Body = Static<typeof SignalsBody>;
type Signal = Body['events'][number];

/** Rows that one sender has in one session; what is beyond is answered and not kept. */
const mostSignals = 200;

/**
 * VALIDATION_ERROR for what is not the caller's to say, then CONFLICT. What was sent before counts as a duplicate, also after
 * the end: a device that was not told sends again. What stands already counts as one too.
 */
export async function recordSignals(
  { services, trx, actor, body }: CallWith<Body>,
  { organizationId, id }: LiveSessionRow,
): Promise<Static<typeof Recorded>> {
  const isStudent = actor.persona === 'STUDENT';
  requireOwn(body.events, isStudent ? studentSignals : staffSignals);
  const row = await lockLive(trx, organizationId, id);
  const now = services.clock.now();
  const isOver = row.endedAt !== null;
  if (isOver && (await allKnown(trx, row, body.events))) return { accepted: 0, duplicates: body.events.length };
  requireState(row, taughtStates);
  const { heard, kept } = await take(trx, row, body.events, { userId: actor.userId, isStudent }, now);
  if (isStudent) await noteSeen(trx, row, actor.userId, heard, now);
  await appendLiveEvents(
    trx,
    row,
    kept.flatMap((type) => eventOf(type, isStudent ? actor.userId : undefined)),
    now,
  );
  return { accepted: kept.length, duplicates: body.events.length - kept.length };
}

function requireOwn(events: readonly Signal[], own: readonly LiveSignal[]): void {
  const at = events.findIndex(({ type }) => !own.includes(type));
  if (at !== -1) throw invalid(`events.${at}.type`, 'not_for_caller');
}

async function allKnown(trx: Trx, row: LiveSessionRow, events: readonly Signal[]): Promise<boolean> {
  const ids = new Set(events.map(({ clientEventId }) => clientEventId.toLowerCase()));
  const [found] = await rowsOf<{ known: number }>(
    trx,
    `select count(*)::integer as known from live_client_event
     where organization_id = :organizationId and live_session_id = :id and client_event_id = any(:ids::text[])`,
    { organizationId: row.organizationId, id: row.id, ids: [...ids] },
  );
  return found?.known === ids.size;
}

/** What of the signals counts: `heard` are new, `kept` are those of them that have a row. Types in their order. */
interface Taken {
  readonly heard: LiveSignal[];
  readonly kept: LiveSignal[];
}

/**
 * Of two with one id the first. A signal of a student has one row while it stands, and nobody has more than `mostSignals` in
 * a session; the caller holds the lock of the session.
 */
async function take(
  trx: Trx,
  row: LiveSessionRow,
  events: readonly Signal[],
  sender: { readonly userId: number; readonly isStudent: boolean },
  now: Date,
): Promise<Taken> {
  const before = await signalsBefore(trx, row, events, sender.userId);
  const known = new Set(before.map(({ clientEventId }) => clientEventId));
  const own = before.filter(({ userId }) => userId === sender.userId);
  const standing = sender.isStudent ? await standingOf(trx, row, own, sender.userId) : undefined;
  let room = mostSignals - own.length;
  const heard: LiveSignal[] = [];
  const kept: Signal[] = [];
  for (const event of events) {
    const id = event.clientEventId.toLowerCase();
    if (known.has(id)) continue;
    known.add(id);
    heard.push(event.type);
    if (room <= 0 || standing?.has(event.type)) continue;
    standing?.add(event.type);
    kept.push({ ...event, clientEventId: id });
    room -= 1;
  }
  await keep(trx, row, kept, sender.userId, now);
  return { heard, kept: kept.map(({ type }) => type) };
}

interface SignalRow {
  readonly clientEventId: string;
  readonly userId: number;
  readonly type: LiveSignal;
  readonly controlVersion: number | null;
}

/** Those of the sender, and whosever have one of these ids. */
const signalsBefore = (
  trx: Trx,
  { organizationId, id }: LiveSessionRow,
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

/** A raised hand stands until the teacher goes on, an absence until the student joins again. */
async function standingOf(
  trx: Trx,
  { organizationId, id: liveSessionId, controlVersion }: LiveSessionRow,
  own: readonly SignalRow[],
  studentId: number,
): Promise<Set<LiveSignal>> {
  const standing = new Set(
    own.filter((row) => row.type !== 'left' && row.controlVersion === controlVersion).map(({ type }) => type),
  );
  const participant = await LiveParticipant.query(trx).findOne({ organizationId, liveSessionId, studentId });
  return participant && participant.leftAt !== null ? standing.add('left') : standing;
}

async function keep(
  trx: Trx,
  row: LiveSessionRow,
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
      ...{ organizationId: row.organizationId, id: row.id, controlVersion: row.controlVersion, userId },
      ...{ now: now.toISOString(), until: lastMoment(row).toISOString() },
      signals: JSON.stringify(signals.map(({ clientEventId, type }) => ({ clientEventId, type }))),
    },
  );
}

/** Whoever has left is away until joining again. */
async function noteSeen(
  trx: Trx,
  { organizationId, id: liveSessionId }: LiveSessionRow,
  studentId: number,
  heard: readonly LiveSignal[],
  now: Date,
): Promise<void> {
  if (heard.length === 0) return;
  const at = now.toISOString();
  const seen = { lastSeenAt: at, ...(heard.includes('left') && { leftAt: at }) };
  await LiveParticipant.query(trx).where({ organizationId, liveSessionId, studentId }).patch(seen);
}

/** A heartbeat is no event. */
function eventOf(signal: LiveSignal, studentId: number | undefined): NewLiveEvent[] {
  if (signal === 'heartbeat') return [];
  const type = signal === 'left' ? 'participant_left' : signal;
  return [{ type, ...(studentId !== undefined && { studentId, data: { studentId } }) }];
}
