// The rows of merges of accounts, and how they are presented. Only the columns of an undo change.
import type { Static } from 'typebox';
import { IntegerId, named, nullable, object, oneOf, Timestamp } from '#core/http/schemas.ts';
import type { Trx } from '#core/platform/db.ts';
import { Row } from '#core/platform/model.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import { mergeReasons } from '../records/enums.ts';

/** How long a merge can be undone. */
const undoDays = 30;

/** What a merge moved; an undo also restores the links that the other account had already. */
export interface MovedByMerge {
  readonly parentLinks: number;
  readonly identities: number;
  readonly droppedLinks: readonly { readonly childId: string; readonly parentUserId: number }[];
  /** The class that the account was in. */
  readonly classId: number | null;
}

export class StudentMerge extends Row {
  static override tableName = 'student_merge';
  static override idColumn = ['organizationId', 'id'];
  static override jsonAttributes = ['moved'];
  declare id: number;
  declare organizationId: string;
  /** The account that was merged. */
  declare studentId: number;
  declare intoStudentId: number;
  declare reasonCode: (typeof mergeReasons)[number];
  declare at: string;
  declare byUserId: number;
  declare moved: MovedByMerge;
  declare undoneAt: string | null;
  declare undoneByUserId: number | null;
}

export const undoUntil = ({ at }: Pick<StudentMerge, 'at'>): Date => new Date(Date.parse(at) + undoDays * dayMs);

export const MergeView = named(
  'StudentMerge',
  object({
    mergeId: IntegerId,
    studentId: IntegerId,
    intoStudentId: IntegerId,
    reasonCode: oneOf(mergeReasons),
    at: Timestamp,
    byUserId: IntegerId,
    undoUntil: Timestamp,
    undoneAt: nullable(Timestamp),
    undoneByUserId: nullable(IntegerId),
  }),
);

export const presentMerge = (row: StudentMerge): Static<typeof MergeView> => ({
  mergeId: row.id,
  studentId: row.studentId,
  intoStudentId: row.intoStudentId,
  reasonCode: row.reasonCode,
  at: row.at,
  byUserId: row.byUserId,
  undoUntil: undoUntil(row).toISOString(),
  undoneAt: row.undoneAt,
  undoneByUserId: row.undoneByUserId,
});

/** Returns the merges of an account, of both directions, newest first. */
export async function mergesOf(
  trx: Trx,
  { organizationId, id }: { readonly organizationId: string; readonly id: number },
): Promise<StudentMerge[]> {
  return StudentMerge.query(trx)
    .where({ organizationId })
    .where((either) => either.where({ studentId: id }).orWhere({ intoStudentId: id }))
    .orderBy('id', 'desc');
}
