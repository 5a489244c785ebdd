// The append-only table of answers in live lessons: the first answer of a student to an item, from any source.
import type { Trx } from '#core/platform/db.ts';
import { insertRows, rowsOf } from '#core/platform/sql.ts';
import type { BlueprintItem } from '../../lesson-blueprints/index.ts';
import type { Answered } from '../engine/answers.ts';
import type { LiveResponseSource } from '../enums.ts';
import type { LiveLessonRow } from './live-lesson.ts';

export type LiveLessonKey = Pick<LiveLessonRow, 'organizationId' | 'schoolYear' | 'id'>;

export interface NewResponse {
  readonly studentId: number;
  readonly item: Pick<BlueprintItem, 'itemRef' | 'subSkillCode' | 'taskType'>;
  readonly source: LiveResponseSource;
  /** The run of own items or of the projector. */
  readonly runId: string | null;
  /** Null for a mark of a teacher. */
  readonly clientResponseId: string | null;
  /** Null when the mark names no option. */
  readonly selectedOptionIndex: number | null;
  readonly correct: boolean;
  readonly supportUsed: boolean;
}

/** Inserts new answers. The caller holds the lock of the lesson. */
export async function appendLiveResponses(
  trx: Trx,
  { organizationId, schoolYear, id }: LiveLessonKey,
  responses: readonly NewResponse[],
  now: Date,
): Promise<void> {
  const rows = responses.map(({ item: { itemRef, subSkillCode, taskType }, ...response }) => ({
    organizationId,
    schoolYear,
    liveSessionId: id,
    itemRef,
    subSkillCode,
    taskType,
    ...response,
    answeredAt: now.toISOString(),
  }));
  await insertRows(trx, 'live_response', rows);
}

const ofSession = 'organization_id = :organizationId and live_session_id = :id and school_year = :schoolYear';
const keyOf = ({ organizationId, schoolYear, id }: LiveLessonKey) => ({ organizationId, schoolYear, id });

/** Returns the answered items of the student, and those of the client ids that are stored for any student. */
export async function knownAnswers(
  trx: Trx,
  key: LiveLessonKey,
  studentId: number,
  clientResponseIds: readonly string[],
): Promise<Answered> {
  const rows = await rowsOf<{ studentId: number; itemRef: string; clientResponseId: string | null }>(
    trx,
    `select student_id, item_ref, client_response_id from live_response
     where ${ofSession} and (student_id = :studentId or client_response_id = any(:clientResponseIds::text[]))`,
    { ...keyOf(key), studentId, clientResponseIds },
  );
  return {
    clientResponseIds: new Set(rows.flatMap((row) => row.clientResponseId ?? [])),
    itemRefs: new Set(rows.flatMap((row) => (row.studentId === studentId ? row.itemRef : []))),
  };
}

/** Returns a function from a student id to the answered items. */
export async function answeredBy(
  trx: Trx,
  key: LiveLessonKey,
  studentIds: readonly number[],
): Promise<(studentId: number) => ReadonlySet<string>> {
  const rows = await rowsOf<{ studentId: number; itemRefs: string[] }>(
    trx,
    `select student_id, array_agg(item_ref) as item_refs from live_response
     where ${ofSession} and student_id = any(:studentIds::bigint[]) group by student_id`,
    { ...keyOf(key), studentIds },
  );
  const known = new Map(rows.map(({ studentId, itemRefs }) => [studentId, new Set(itemRefs)]));
  return (studentId) => known.get(studentId) ?? new Set();
}

/** Returns the items that any student has answered; they cannot be removed from the playlist. */
export async function answeredItemRefs(trx: Trx, key: LiveLessonKey): Promise<ReadonlySet<string>> {
  const rows = await rowsOf<{ itemRef: string }>(
    trx,
    `select distinct item_ref from live_response where ${ofSession}`,
    keyOf(key),
  );
  return new Set(rows.map(({ itemRef }) => itemRef));
}

export interface StoredLiveAnswer {
  readonly studentId: number;
  readonly itemRef: string;
  readonly subSkillCode: string;
  readonly source: LiveResponseSource;
  readonly correct: boolean;
}

/** Returns all answers of a lesson, in order. */
export const liveAnswersOf = (trx: Trx, key: LiveLessonKey): Promise<StoredLiveAnswer[]> =>
  rowsOf(
    trx,
    `select student_id, item_ref, sub_skill_code, source, correct from live_response where ${ofSession} order by ledger_no`,
    keyOf(key),
  );
