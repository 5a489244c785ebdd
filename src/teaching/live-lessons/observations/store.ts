// The append-only table of observations in live lessons.
import type { Trx } from '#core/platform/db.ts';
import { insertRows, rowsOf } from '#core/platform/sql.ts';
import type { ObservationCode } from '../enums.ts';
import type { LiveLessonKey } from '../rows/responses.ts';

export interface NewObservation {
  readonly clientObservationId: string;
  readonly studentId: number;
  readonly observationCode: ObservationCode;
  readonly subSkillCode: string | null;
  /** User id of the observer. */
  readonly observedBy: number;
}

const ofSession = 'organization_id = :organizationId and live_session_id = :id and school_year = :schoolYear';
const keyOf = ({ organizationId, schoolYear, id }: LiveLessonKey) => ({ organizationId, schoolYear, id });

/** Inserts observations with unknown ids. The caller holds the lock of the lesson. */
export async function appendObservations(
  trx: Trx,
  { organizationId, schoolYear, id }: LiveLessonKey,
  observations: readonly NewObservation[],
  now: Date,
): Promise<void> {
  const key = { organizationId, schoolYear, liveSessionId: id };
  const observedAt = now.toISOString();
  const rows = observations.map((observation) => ({ ...key, ...observation, observedAt }));
  await insertRows(trx, 'live_observation', rows);
}

/** Returns those of the ids that are stored for the lesson. */
export async function knownObservationIds(
  trx: Trx,
  key: LiveLessonKey,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await rowsOf<{ clientObservationId: string }>(
    trx,
    `select client_observation_id from live_observation
     where ${ofSession} and client_observation_id = any(:ids::text[])`,
    { ...keyOf(key), ids },
  );
  return new Set(rows.map(({ clientObservationId }) => clientObservationId));
}

export interface ObservedCount {
  readonly studentId: number;
  readonly observationCode: ObservationCode;
  readonly count: number;
}

/** Returns counts by student and code. */
export const observedCounts = (trx: Trx, key: LiveLessonKey): Promise<ObservedCount[]> =>
  rowsOf(
    trx,
    `select student_id, observation_code, count(*)::integer as count from live_observation
     where ${ofSession} group by student_id, observation_code order by student_id, observation_code`,
    keyOf(key),
  );
