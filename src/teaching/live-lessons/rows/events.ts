// The events of a live lesson, numbered without a gap.

import type { Trx } from '#core/platform/db.ts';
import { modelOf } from '#core/platform/model.ts';
import { rowsOf } from '#core/platform/sql.ts';
import {
  type LiveEventType,
  type LiveResponseSource,
  type LiveState,
  type ObservationCode,
  type OwnRunState,
  studentEventTypes,
} from '../enums.ts';
import type { LiveLessonRow } from './live-lesson.ts';

/** The data of an event, for staff only. */
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
  /** The student concerned; a student event is visible to this student only. */
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

const LiveEvent = modelOf<
  LiveEventRow & { readonly organizationId: string; readonly liveSessionId: string; readonly schoolYear: string }
>('live_event', { id: ['organizationId', 'liveSessionId', 'seq', 'schoolYear'], json: ['data'] });

type LessonKey = Pick<LiveLessonRow, 'organizationId' | 'schoolYear' | 'id'>;

/** Appends events in the given order. The caller holds the lock of the lesson, which makes the numbers gapless. */
export async function appendLiveEvents(
  trx: Trx,
  { organizationId, schoolYear, id }: LessonKey,
  events: readonly NewLiveEvent[],
  now: Date,
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ type, studentId = null, data = {} }) => ({ type, studentId, data }));
  await trx.raw(
    `insert into live_event (organization_id, school_year, live_session_id, seq, type, student_id, data, at)
     select :organizationId, :schoolYear, :id, before.seq + new.position, new.row ->> 'type',
       (new.row ->> 'studentId')::bigint, new.row -> 'data', :at
     from jsonb_array_elements(:rows::jsonb) with ordinality as new (row, position),
       (select coalesce(max(seq), 0) as seq from live_event where organization_id = :organizationId
         and live_session_id = :id and school_year = :schoolYear) as before`,
    { organizationId, schoolYear, id, rows: JSON.stringify(rows), at: now.toISOString() },
  );
}

/** Returns events with a number greater than `seq`, ascending. */
export const eventsAfter = (
  trx: Trx,
  { organizationId, schoolYear, id }: LessonKey,
  seq: number,
  limit: number,
): Promise<LiveEventRow[]> =>
  rowsOf<LiveEventRow>(
    trx,
    `select seq, type, student_id, data, at from live_event where organization_id = :organizationId
       and live_session_id = :id and school_year = :schoolYear and seq > :seq order by seq limit :limit`,
    { organizationId, schoolYear, id, seq, limit },
  );

/** Returns the number of the newest event; 0 without events. */
export async function newestSeq(trx: Trx, { organizationId, schoolYear, id }: LessonKey): Promise<number> {
  const key = { organizationId, schoolYear, liveSessionId: id };
  const newest = await LiveEvent.query(trx).where(key).max('seq as seq').first();
  return newest?.seq ?? 0;
}

interface VisibleRange {
  readonly after: number;
  readonly upTo: number;
  /** The student who reads the events; undefined for staff. */
  readonly student: number | undefined;
  readonly limit: number;
}

export const visibleEventsAfter = (
  trx: Trx,
  { organizationId, schoolYear, id }: LessonKey,
  { after, upTo, student, limit }: VisibleRange,
): Promise<LiveEventRow[]> =>
  rowsOf<LiveEventRow>(
    trx,
    `select seq, type, student_id, data, at from live_event where organization_id = :organizationId
       and live_session_id = :id and school_year = :schoolYear and seq > :after and seq <= :upTo
       and (:student::bigint is null or type = any (:types::text[]) and (student_id is null or student_id = :student))
     order by seq limit :limit`,
    { organizationId, schoolYear, id, after, upTo, limit, student: student ?? null, types: [...studentEventTypes] },
  );
