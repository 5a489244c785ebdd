// What happens in a live session, numbered without a gap.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import {
  type LiveEventType,
  type LiveResponseSource,
  type LiveState,
  type ObservationCode,
  type OwnRunState,
  studentEventTypes,
} from '../enums.ts';
import type { LiveSessionRow } from './session.ts';

/** What staff is told beside the type; students are told nothing of it. */
export interface LiveEventData {
  readonly studentId?: number;
  readonly itemRef?: string | null;
  readonly state?: LiveState;
  readonly responsesLocked?: boolean;
  readonly observationCode?: ObservationCode;
  readonly subSkillCode?: string | null;
  readonly correct?: boolean;
  readonly source?: LiveResponseSource;
  readonly runId?: string;
  readonly runState?: OwnRunState;
  readonly committed?: number;
  readonly skipped?: number;
}

export interface NewLiveEvent {
  readonly type: LiveEventType;
  /** Whom it is about; of those that students are told of, it is told to this one only. */
  readonly studentId?: number;
  readonly data?: LiveEventData;
}

export interface LiveEventRow {
  readonly seq: number;
  readonly type: LiveEventType;
  readonly studentId: number | null;
  readonly data: LiveEventData;
  /** ISO 8601 UTC. */
  readonly at: string;
}

type Place = Pick<LiveSessionRow, 'organizationId' | 'schoolYear' | 'id'>;

/** The session is locked by this transaction. In the order given. */
export async function appendLiveEvents(
  trx: Trx,
  { organizationId, schoolYear, id }: Place,
  events: readonly NewLiveEvent[],
  now: Date,
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ type, studentId = null, data = {} }) => ({ type, studentId, data }));
  await trx.raw(
    `insert into live_event (organization_id, school_year, live_session_id, seq, type, student_id, data, at)
     select :organizationId, :schoolYear, :id, before.seq + new.place, new.row ->> 'type',
       (new.row ->> 'studentId')::bigint, new.row -> 'data', :at
     from jsonb_array_elements(:rows::jsonb) with ordinality as new (row, place),
       (select coalesce(max(seq), 0) as seq from live_event where organization_id = :organizationId
         and live_session_id = :id and school_year = :schoolYear) as before`,
    { organizationId, schoolYear, id, rows: JSON.stringify(rows), at: now.toISOString() },
  );
}

/** Those with a greater number, the first ones first. */
export const eventsAfter = (
  trx: Trx,
  { organizationId, schoolYear, id }: Place,
  seq: number,
  limit: number,
): Promise<LiveEventRow[]> =>
  rowsOf<LiveEventRow>(
    trx,
    `select seq, type, student_id, data, at from live_event where organization_id = :organizationId
       and live_session_id = :id and school_year = :schoolYear and seq > :seq order by seq limit :limit`,
    { organizationId, schoolYear, id, seq, limit },
  );

/** 0: nothing has happened yet. */
export async function newestSeq(trx: Trx, { organizationId, schoolYear, id }: Place): Promise<number> {
  const place = { organizationId, schoolYear, liveSessionId: id };
  const newest = await trx('live_event').where(place).max({ seq: 'seq' }).first();
  return newest?.seq ?? 0;
}

interface Told {
  readonly after: number;
  readonly upTo: number;
  /** Whom they are told to; undefined: staff. */
  readonly student: number | undefined;
  readonly limit: number;
}

export const eventsToldAfter = (
  trx: Trx,
  { organizationId, schoolYear, id }: Place,
  { after, upTo, student, limit }: Told,
): Promise<LiveEventRow[]> =>
  rowsOf<LiveEventRow>(
    trx,
    `select seq, type, student_id, data, at from live_event where organization_id = :organizationId
       and live_session_id = :id and school_year = :schoolYear and seq > :after and seq <= :upTo
       and (:student::bigint is null or type = any (:types::text[]) and (student_id is null or student_id = :student))
     order by seq limit :limit`,
    { organizationId, schoolYear, id, after, upTo, limit, student: student ?? null, types: [...studentEventTypes] },
  );
