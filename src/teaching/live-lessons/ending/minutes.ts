// Taught minutes of each segment, stored from the events when a live lesson ends, and read for the fidelity of assignments.

import type { Trx } from '#core/platform/db.ts';
import { minuteMs } from '#core/platform/pure/dates/durations.ts';
import { round4 } from '#core/platform/pure/round.ts';
import { insertRows, rowsOf } from '#core/platform/sql.ts';
import type { SessionMinutesReader } from '#support/fidelity/index.ts';
import type { BlueprintSegment } from '../../lesson-blueprints/index.ts';
import { type SegmentSignal, taughtTimes } from '../engine/minutes.ts';
import type { LiveLessonKey } from '../rows/responses.ts';

/** Maps the type of an event to a segment signal. */
const signalOf = `case when type <> 'state_changed' then type when data ->> 'state' = 'paused' then 'paused'
  when data ->> 'state' = 'live' then 'resumed' end`;

/** Returns the signals in order. */
export const segmentSignals = (trx: Trx, { organizationId, schoolYear, id }: LiveLessonKey): Promise<SegmentSignal[]> =>
  rowsOf(
    trx,
    `select (extract(epoch from at) * 1000)::float8 as at_ms, ${signalOf} as is from live_event
     where organization_id = :organizationId and live_session_id = :id and school_year = :schoolYear
       and ${signalOf} in ('segment_started', 'segment_finished', 'paused', 'resumed') order by seq`,
    { organizationId, schoolYear, id },
  );

/** Returns the instant of the last event; null without events. */
export async function lastEventAt(trx: Trx, { organizationId, schoolYear, id }: LiveLessonKey): Promise<Date | null> {
  const [row] = await rowsOf<{ at: string | null }>(
    trx,
    `select max(at) as at from live_event
     where organization_id = :organizationId and live_session_id = :id and school_year = :schoolYear`,
    { organizationId, schoolYear, id },
  );
  return row?.at ? new Date(row.at) : null;
}

/** Stores every segment of the taught lesson, or without one the started segments. */
export async function appendSegments(
  trx: Trx,
  { organizationId, schoolYear, id }: LiveLessonKey,
  segments: readonly BlueprintSegment[],
  signals: readonly SegmentSignal[],
  { lastMs, now }: { readonly lastMs: number; readonly now: Date },
): Promise<void> {
  const times = taughtTimes(signals, segments.length, lastMs);
  const taught = new Map(times.map(({ segmentNo, taughtMs }) => [segmentNo, taughtMs]));
  const planned = new Map(segments.map((segment) => [segment.segmentNo, segment]));
  const numbers = [...new Set([...planned.keys(), ...taught.keys()])];
  const rows = numbers.map((segmentNo) => ({
    organizationId,
    schoolYear,
    liveSessionId: id,
    segmentNo,
    kind: planned.get(segmentNo)?.kind ?? null,
    plannedMinutes: planned.get(segmentNo)?.minutes ?? null,
    taughtMs: taught.get(segmentNo) ?? null,
    endedAt: now.toISOString(),
  }));
  await insertRows(trx, 'live_segment', rows);
}

export const liveMinutes: SessionMinutesReader = async (trx, organizationId, sessionIds) => {
  const rows = await rowsOf<{ id: string; plannedMinutes: number | null; taughtMs: number | null }>(
    trx,
    `select live_session_id as id, sum(planned_minutes)::integer as planned_minutes, sum(taught_ms)::float8 as taught_ms
     from live_segment where organization_id = :organizationId and live_session_id = any(:sessionIds::text[])
     group by live_session_id`,
    { organizationId, sessionIds: [...sessionIds] },
  );
  return new Map(
    rows.map(({ id, plannedMinutes, taughtMs }) => [
      id,
      { plannedMinutes, taughtMinutes: taughtMs === null ? null : round4(taughtMs / minuteMs) },
    ]),
  );
};
