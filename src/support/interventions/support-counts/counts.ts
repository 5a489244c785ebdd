// Counts recent answers by need of support: correct alone, correct with support, wrong, by sub-skill and task type.
import type { ItemBank, ItemBanks } from '#assessment/content/index.ts';
import {
  diagnosticAnswers,
  isNameWithdrawn,
  isWithdrawnBy,
  practiceQueueAnswers,
  type SupportedAnswers,
  type SupportedAnswersReader,
  stampVersion,
} from '#assessment/measurement/index.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import type { TierCounts } from '../engine/bundles/delivery.ts';
import type { ScaffoldTier } from '../engine/vocabulary.ts';
import type { SessionAnswer } from '../services.ts';

/** Readers of answers to items of the banks. Answers in sessions of assignments come from capabilities (`sessionAnswers`). */
const answerReaders: readonly SupportedAnswersReader[] = [diagnosticAnswers, practiceQueueAnswers];

/** Sub-skill → task type → counts; only those with answers are present. */
export type SupportCounts = ReadonlyMap<string, ReadonlyMap<string, TierCounts>>;

type Counts = Record<ScaffoldTier, number>;
type Counting = Map<number, Map<string, Map<string, Counts>>>;

/** The start, exclusive, of a period of `days` times 24 hours before `asOf`. */
export const windowStart = (asOf: Date, days: number): Date => new Date(asOf.getTime() - days * dayMs);

/**
 * Answers after `since`, exclusive, up to `asOf`, inclusive; a student without an answer has no entry. One statement for
 * each source. Throws ENGINE_UNAVAILABLE when the items cannot be read.
 */
export async function supportCounts(
  trx: Trx,
  organizationId: string,
  students: readonly { readonly studentId: number }[],
  since: Date,
  asOf: Date,
  { itemBanks, capabilities }: Pick<Services, 'itemBanks' | 'capabilities'>,
): Promise<ReadonlyMap<number, SupportCounts>> {
  const request = { organizationId, studentIds: students.map(({ studentId }) => studentId), since, asOf };
  const sessions: SupportedAnswers[] = [];
  for (const read of answerReaders) sessions.push(...(await read(trx, request)));
  const banks = await banksOf(itemBanks, sessions);
  const today = await itemBanks.current();
  const counting: Counting = new Map();
  for (const session of sessions) countSession(counting, session, banks.get(session.bankVersion), today, asOf);
  for (const read of capabilities.flatMap(({ sessionAnswers }) => sessionAnswers ?? [])) {
    for (const answer of await read(trx, request)) {
      // In a session of an assignment the item is the session's own copy.
      if (!isNameWithdrawn(today, answer.itemRef, asOf.toISOString())) countAnswer(counting, answer.studentId, answer);
    }
  }
  return counting;
}

async function banksOf(itemBanks: ItemBanks, sessions: readonly SupportedAnswers[]) {
  const stamps = [...new Set(sessions.map(({ bankVersion }) => bankVersion))];
  const banks = await Promise.all(stamps.map((stamp) => itemBanks.version(stampVersion(stamp))));
  return new Map(stamps.map((stamp, at) => [stamp, banks[at]]));
}

/** The task type comes from the bank of the session, the withdrawal from today's bank. */
function countSession(
  counting: Counting,
  { studentId, itemIds, subSkillCodes, corrects, supported }: SupportedAnswers,
  bank: ItemBank | undefined,
  today: ItemBank,
  asOf: Date,
): void {
  for (const [at, itemId] of itemIds.entries()) {
    const item = bank?.find(itemId);
    if (!item || isWithdrawnBy(today, item, asOf.toISOString())) continue;
    countAnswer(counting, studentId, {
      ...{ subSkillCode: subSkillCodes[at] ?? item.subSkillCode, taskType: item.itemType },
      ...{ correct: corrects[at] === true, supported: supported[at] === true },
    });
  }
}

function countAnswer(
  counting: Counting,
  studentId: number,
  { subSkillCode, taskType, correct, supported }: Omit<SessionAnswer, 'studentId' | 'itemRef'>,
): void {
  const level = correct ? (supported ? 'Level_2' : 'Level_1') : 'Level_3';
  countsFor(counting, studentId, subSkillCode, taskType)[level] += 1;
}

function countsFor(counting: Counting, studentId: number, subSkillCode: string, taskType: string): Counts {
  const bySkill = entry(counting, studentId, () => new Map<string, Map<string, Counts>>());
  const byTask = entry(bySkill, subSkillCode, () => new Map<string, Counts>());
  return entry(byTask, taskType, () => ({ Level_1: 0, Level_2: 0, Level_3: 0 }));
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
