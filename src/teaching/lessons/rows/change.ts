// The single writer of a lesson's row: each change is stored together with its audit entry.

import type { Trx } from '#core/platform/db.ts';
import { modelOf } from '#core/platform/model.ts';
import type { LessonAction } from '../enums.ts';
import { type LessonChange, LessonRow } from './store.ts';

export interface LessonAct {
  readonly action: LessonAction;
  /** User id; null for the service. */
  readonly actorUserId: number | null;
  /** Field names of the response. */
  readonly changedFields: readonly string[];
  readonly now: Date;
}

interface LessonActRow {
  readonly id: number;
  readonly organizationId: string;
  readonly schoolYear: string;
  readonly sessionId: string;
  readonly at: string;
  readonly actorUserId: number | null;
  readonly action: LessonAction;
  readonly changedFields: string[];
}

const LessonAudit = modelOf<LessonActRow>('session_audit', { id: ['organizationId', 'id', 'schoolYear'] });

/** Applies the change and returns the changed row. */
export async function changeLesson(trx: Trx, row: LessonRow, change: LessonChange, act: LessonAct): Promise<LessonRow> {
  const { organizationId, id } = row;
  if (Object.keys(change).length > 0) await LessonRow.query(trx).where({ organizationId, id }).patch(change);
  await appendLessonAct(trx, row, act);
  return Object.assign(new LessonRow(), row, change);
}

export async function appendLessonAct(
  trx: Trx,
  { organizationId, schoolYear, id }: Pick<LessonRow, 'organizationId' | 'schoolYear' | 'id'>,
  { action, actorUserId, changedFields, now }: LessonAct,
): Promise<void> {
  await LessonAudit.query(trx).insert({
    organizationId,
    schoolYear,
    sessionId: id,
    at: now.toISOString(),
    actorUserId,
    action,
    changedFields: [...changedFields],
  });
}
