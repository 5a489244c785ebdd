// What clients say of themselves: that they are there, that a hand is up, that a segment has begun. Their clocks are not
// asked; the moment is that of the service.
import type { Static } from 'typebox';
import type { Trx } from '../../platform/db.ts';
import { invalid } from '../../platform/errors.ts';
import { rowsOf } from '../../platform/sql.ts';
import type { CallWith } from '../call.ts';
import { lastMoment } from '../engine/limits.ts';
import { appendLiveEvents, type NewLiveEvent } from '../rows/events.ts';
import { lockLive } from '../rows/lock.ts';
import { LiveParticipant } from '../rows/participants.ts';
import { requireState } from '../rows/require-state.ts';
import type { LiveSessionRow } from '../rows/session.ts';
import { type LiveSignal, staffSignals, studentSignals, taughtStates } from '../words.ts';
import type { Recorded, SignalsBody } from './schemas.ts';

type Body = Static<typeof SignalsBody>;
type Signal = Body['events'][number];

/**
 * VALIDATION_ERROR for what is not the caller's to say, then CONFLICT. What was sent before counts as a duplicate, also after
 * the end: a device that was not told sends again.
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
  const accepted = await acceptedOf(trx, row, body.events, actor.userId, now);
  if (isStudent) await noteSeen(trx, row, actor.userId, accepted, now);
  await appendLiveEvents(
    trx,
    row,
    accepted.flatMap((type) => eventOf(type, isStudent ? actor.userId : undefined)),
    now,
  );
  return { accepted: accepted.length, duplicates: body.events.length - accepted.length };
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

/** Types of those that are new, in their order: of two with one id the first. */
async function acceptedOf(
  trx: Trx,
  row: LiveSessionRow,
  events: readonly Signal[],
  userId: number,
  now: Date,
): Promise<LiveSignal[]> {
  const first = new Map(events.toReversed().map((event) => [event.clientEventId.toLowerCase(), event]));
  const inserted = await rowsOf<{ clientEventId: string }>(
    trx,
    `insert into live_client_event
       (organization_id, live_session_id, client_event_id, user_id, type, received_at, expires_at)
     select :organizationId, :id, e ->> 'clientEventId', :userId, e ->> 'type', :now, :until
     from jsonb_array_elements(:events::jsonb) e on conflict do nothing returning client_event_id`,
    {
      ...{ organizationId: row.organizationId, id: row.id, userId, now: now.toISOString() },
      until: lastMoment(row).toISOString(),
      events: JSON.stringify([...first].map(([clientEventId, { type }]) => ({ clientEventId, type }))),
    },
  );
  const isNew = new Set(inserted.map(({ clientEventId }) => clientEventId));
  return events.filter((event) => isTaken(event, first, isNew)).map(({ type }) => type);
}

function isTaken(event: Signal, first: ReadonlyMap<string, Signal>, isNew: ReadonlySet<string>): boolean {
  const id = event.clientEventId.toLowerCase();
  return isNew.has(id) && first.get(id) === event;
}

/** Whoever has left is away until joining again. */
async function noteSeen(
  trx: Trx,
  { organizationId, id: liveSessionId }: LiveSessionRow,
  studentId: number,
  accepted: readonly LiveSignal[],
  now: Date,
): Promise<void> {
  if (accepted.length === 0) return;
  const at = now.toISOString();
  const seen = { lastSeenAt: at, ...(accepted.includes('left') && { leftAt: at }) };
  await LiveParticipant.query(trx).where({ organizationId, liveSessionId, studentId }).patch(seen);
}

/** A heartbeat is no event. */
function eventOf(signal: LiveSignal, studentId: number | undefined): NewLiveEvent[] {
  if (signal === 'heartbeat') return [];
  const type = signal === 'left' ? 'participant_left' : signal;
  return [{ type, ...(studentId !== undefined && { studentId, data: { studentId } }) }];
}
