// Storage of flags. Rows are appended and never updated; the newest row of a student and code defines the period.

import type { Trx } from '#core/platform/db.ts';
import { modelOf } from '#core/platform/model.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { FlagPeriod } from './engine/period.ts';

export interface FlagRow extends FlagPeriod {
  readonly id: number;
  readonly organizationId: string;
  readonly schoolYear: string;
  readonly studentId: number;
  readonly flagCode: string;
  /** User id of the person who set the flag. */
  readonly setBy: number;
  /** ISO 8601 instant. */
  readonly setAt: string;
  /** The organization's local date at `setAt`. */
  readonly setOn: string;
  /** The version of the dictionary that was in force, such as `language/context-flags@1`. */
  readonly ruleVersion: string;
}

export const StoredContextFlag = modelOf<FlagRow & { readonly activeTo: string }>('context_flag', {
  id: ['organizationId', 'id', 'schoolYear'],
});

interface FlagRefusalRow {
  readonly id: number;
  readonly organizationId: string;
  readonly studentId: number;
  readonly length: number;
  readonly at: string;
}

const ContextFlagRefusal = modelOf<FlagRefusalRow>('context_flag_refusal', { id: ['organizationId', 'id'] });

export const appendFlag = async (trx: Trx, row: Omit<FlagRow, 'id'>): Promise<FlagRow> =>
  StoredContextFlag.query(trx).insert(row).returning('*');

export function newestOf(
  trx: Trx,
  { organizationId, studentId, flagCode }: Pick<FlagRow, 'organizationId' | 'studentId' | 'flagCode'>,
): Promise<FlagRow | undefined> {
  return StoredContextFlag.query(trx)
    .where({ organizationId, studentId, flagCode })
    .orderBy('id', 'desc')
    .first()
    .execute();
}

/** A row that was replaced by a newer one of its code does not hold, regardless of its period. */
export interface ListedFlag extends FlagRow {
  readonly isNewest: boolean;
}

/** Returns a student's flags with an id below `before`, newest first. */
export const flagsBefore = (
  trx: Trx,
  of: { readonly organizationId: string; readonly studentId: number },
  before: number | null,
  limit: number,
): Promise<ListedFlag[]> =>
  rowsOf(
    trx,
    `select f.*, not exists (select from context_flag n where n.organization_id = f.organization_id
       and n.student_id = f.student_id and n.flag_code = f.flag_code and n.id > f.id) as is_newest
     from context_flag f
     where f.organization_id = :organizationId and f.student_id = :studentId
       and (:before::bigint is null or f.id < :before)
     order by f.id desc limit :limit`,
    { organizationId: of.organizationId, studentId: of.studentId, before, limit },
  );

export async function appendRefusal(
  trx: Trx,
  refusal: Pick<FlagRow, 'organizationId' | 'studentId'> & { readonly length: number },
  at: Date,
): Promise<void> {
  await ContextFlagRefusal.query(trx).insert({ ...refusal, at: at.toISOString() });
}
