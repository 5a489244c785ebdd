// Answers with which the goals of assignments are evaluated. Answers to withdrawn items are left out.

import { isNameWithdrawn } from '#assessment/measurement/index.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { LateAnswersReader, PresentStudent } from '#support/interventions/index.ts';
import { lessonResponsesOf } from './store.ts';

type Answers = PresentStudent['responses'];

/** Returns the answers of one lesson by student, in the order of arrival. */
export async function analysableAnswers(
  trx: Trx,
  services: Pick<Services, 'itemBanks'>,
  lesson: Parameters<typeof lessonResponsesOf>[1],
  now: Date,
): Promise<ReadonlyMap<number, Answers>> {
  const isCounted = await countedItems(services, now);
  const found = new Map<number, Answers>();
  for (const { studentId, itemRef, subSkillCode, correct } of await lessonResponsesOf(trx, lesson)) {
    if (!isCounted(itemRef)) continue;
    found.set(studentId, [...(found.get(studentId) ?? []), { itemId: itemRef, subSkillCode, correct }]);
  }
  return found;
}

/**
 * Returns a predicate on item references, false for withdrawn items. An item that is in no bank counts. Throws
 * ENGINE_UNAVAILABLE without a bank.
 */
export async function countedItems({ itemBanks }: Pick<Services, 'itemBanks'>, now: Date) {
  const bank = await itemBanks.current();
  return (itemRef: string): boolean => !isNameWithdrawn(bank, itemRef, now.toISOString());
}

interface AnswerRow {
  readonly studentId: number;
  readonly sessionId: string;
  readonly itemId: string;
  readonly subSkillCode: string;
  readonly correct: boolean;
}

/** Reads the answers of delivered lessons, including those that a device sent after the delivery. */
export const answersOfDelivered: LateAnswersReader = async (
  trx,
  services,
  { organizationId, sessionIds, studentIds, now },
) => {
  const rows = await rowsOf<AnswerRow>(
    trx,
    `select student_id, session_id, item_ref as item_id, sub_skill_code, correct from session_response
     where organization_id = :organizationId and session_id = any(:sessionIds::text[])
       and student_id = any(:studentIds::bigint[]) order by id`,
    { organizationId, sessionIds: [...sessionIds], studentIds: [...studentIds] },
  );
  if (rows.length === 0) return [];
  const isCounted = await countedItems(services, now);
  return rows.filter(({ itemId }) => isCounted(itemId));
};
