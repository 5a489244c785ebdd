// The ledger of answers in live sessions: the first one of a student to an item, wherever it was given.
import type { Trx } from '#core/platform/db.ts';
import { insertRows, rowsOf } from '#core/platform/sql.ts';
import type { BlueprintItem } from '../../lesson-blueprints/index.ts';
import type { Answered } from '../engine/answers.ts';
import type { LiveResponseSource } from '../enums.ts';
import type { LiveSessionRow } from './session.ts';

export type LivePlace = Pick<LiveSessionRow, 'organizationId' | 'schoolYear' | 'id'>;

export interface NewResponse {
  readonly studentId: number;
  readonly item: Pick<BlueprintItem, 'itemRef' | 'subSkillCode' | 'taskType'>;
  readonly source: LiveResponseSource;
  /** Of own items or a projector run. */
  readonly runId: string | null;
  /** Null: marked by a teacher. */
  readonly clientResponseId: string | null;
  /** Null: the mark names no option. */
  readonly selectedOptionIndex: number | null;
  readonly correct: boolean;
  readonly supportUsed: boolean;
}

/** The session is locked, and none of them is known. */
export async function appendResponses(
  trx: Trx,
  { organizationId, schoolYear, id }: LivePlace,
  responses: readonly NewResponse[],
  now: Date,
): Promise<void> {
  const rows = responses.map(({ item: { itemRef, subSkillCode, taskType }, ...response }) => ({
    ...{ organizationId, schoolYear, liveSessionId: id, itemRef, subSkillCode, taskType },
    ...response,
    answeredAt: now.toISOString(),
  }));
  await insertRows(trx, 'live_response', rows);
}

const ofSession = 'organization_id = :organizationId and live_session_id = :id and school_year = :schoolYear';
const placeOf = ({ organizationId, schoolYear, id }: LivePlace) => ({ organizationId, schoolYear, id });

/** What the session has of the student, and which of these ids it has of anybody. */
export async function knownAnswers(
  trx: Trx,
  place: LivePlace,
  studentId: number,
  clientResponseIds: readonly string[],
): Promise<Answered> {
  const rows = await rowsOf<{ studentId: number; itemRef: string; clientResponseId: string | null }>(
    trx,
    `select student_id, item_ref, client_response_id from live_response
     where ${ofSession} and (student_id = :studentId or client_response_id = any(:clientResponseIds::text[]))`,
    { ...placeOf(place), studentId, clientResponseIds },
  );
  return {
    clientResponseIds: new Set(rows.flatMap((row) => row.clientResponseId ?? [])),
    itemRefs: new Set(rows.flatMap((row) => (row.studentId === studentId ? row.itemRef : []))),
  };
}

/** By student. */
export async function answeredBy(
  trx: Trx,
  place: LivePlace,
  studentIds: readonly number[],
): Promise<(studentId: number) => ReadonlySet<string>> {
  const rows = await rowsOf<{ studentId: number; itemRefs: string[] }>(
    trx,
    `select student_id, array_agg(item_ref) as item_refs from live_response
     where ${ofSession} and student_id = any(:studentIds::bigint[]) group by student_id`,
    { ...placeOf(place), studentIds },
  );
  const known = new Map(rows.map(({ studentId, itemRefs }) => [studentId, new Set(itemRefs)]));
  return (studentId) => known.get(studentId) ?? new Set();
}

/** By anybody: these stay in the playlist. */
export async function answeredItemRefs(trx: Trx, place: LivePlace): Promise<ReadonlySet<string>> {
  const rows = await rowsOf<{ itemRef: string }>(
    trx,
    `select distinct item_ref from live_response where ${ofSession}`,
    placeOf(place),
  );
  return new Set(rows.map(({ itemRef }) => itemRef));
}

export interface GivenAnswer {
  readonly studentId: number;
  readonly itemRef: string;
  readonly subSkillCode: string;
  readonly source: LiveResponseSource;
  readonly correct: boolean;
}

/** All of a session, in the order in which they were given. */
export const givenAnswers = (trx: Trx, place: LivePlace): Promise<GivenAnswer[]> =>
  rowsOf(
    trx,
    `select student_id, item_ref, sub_skill_code, source, correct from live_response where ${ofSession} order by ledger_no`,
    placeOf(place),
  );
