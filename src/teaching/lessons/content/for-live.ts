// A lesson with its content and recipients, for live lessons.
import type { Trx } from '#core/platform/db.ts';
import { findLesson, includedIds, type LessonRow, recipientsOf } from '../rows/store.ts';
import { type LessonContent, lessonContentOf } from './content.ts';

export interface LiveSource extends LessonContent {
  readonly row: LessonRow;
  readonly includedStudentIds: readonly number[];
}

/** Returns undefined when the organization has no such lesson. The caller checks the state. */
export async function lessonForLive(
  trx: Trx,
  organizationId: string,
  sessionId: string,
): Promise<LiveSource | undefined> {
  const row = await findLesson(trx, organizationId, sessionId);
  if (!row) return undefined;
  return { row, ...(await lessonContentOf(trx, row)), includedStudentIds: includedIds(await recipientsOf(trx, row)) };
}
