// The ledger of what was observed of students in live sessions.
import type { Trx } from '#core/platform/db.ts';
import { insertRows, rowsOf } from '#core/platform/sql.ts';
import type { ObservationCode } from '../enums.ts';
import type { LivePlace } from '../rows/responses.ts';

export interface NewObservation {
  readonly clientObservationId: string;
  readonly studentId: number;
  readonly observationCode: ObservationCode;
  readonly subSkillCode: string | null;
  /** User id. */
  readonly observedBy: number;
}

const ofSession = 'organization_id = :organizationId and live_session_id = :id and school_year = :schoolYear';
const placeOf = ({ organizationId, schoolYear, id }: LivePlace) => ({ organizationId, schoolYear, id });

/** The session is locked, and none of them is known. */
export async function appendObservations(
  trx: Trx,
  { organizationId, schoolYear, id }: LivePlace,
  observations: readonly NewObservation[],
  now: Date,
): Promise<void> {
  const place = { organizationId, schoolYear, liveSessionId: id };
  const observedAt = now.toISOString();
  const rows = observations.map((observation) => ({ ...place, ...observation, observedAt }));
  await insertRows(trx, 'live_observation', rows);
}

/** Which of these ids the session has. */
export async function knownObservationIds(
  trx: Trx,
  place: LivePlace,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await rowsOf<{ clientObservationId: string }>(
    trx,
    `select client_observation_id from live_observation
     where ${ofSession} and client_observation_id = any(:ids::text[])`,
    { ...placeOf(place), ids },
  );
  return new Set(rows.map(({ clientObservationId }) => clientObservationId));
}

export interface ObservedCount {
  readonly studentId: number;
  readonly observationCode: ObservationCode;
  readonly count: number;
}

/** Of a session, by student and code. */
export const observedCounts = (trx: Trx, place: LivePlace): Promise<ObservedCount[]> =>
  rowsOf(
    trx,
    `select student_id, observation_code, count(*)::integer as count from live_observation
     where ${ofSession} group by student_id, observation_code order by student_id, observation_code`,
    placeOf(place),
  );
