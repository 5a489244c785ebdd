// How much support students needed lately: right alone, right with support, not right, by sub-skill and kind of task.
import type { ItemBank, ItemBanks } from '#assessment/content/index.ts';
import { isNameWithdrawn, isWithdrawnBy, type SupportedAnswers, stampVersion } from '#assessment/measurement/index.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import type { TierCounts } from '../engine/bundles/delivery.ts';
import type { ScaffoldTier } from '../engine/vocabulary.ts';
import type { SessionAnswer } from '../services.ts';
import { answerReaders } from './sources.ts';

/** Sub-skill → kind of task → counts; only what was answered has an entry. */
export type SupportCounts = ReadonlyMap<string, ReadonlyMap<string, TierCounts>>;

type Counts = Record<ScaffoldTier, number>;
type Counting = Map<number, Map<string, Map<string, Counts>>>;

/** A window of so many times 24 hours before `asOf` opens after this instant. */
export const windowStart = (asOf: Date, days: number): Date => new Date(asOf.getTime() - days * dayMs);

/**
 * Of what was answered after `since` and not after `asOf`; a student without an answer has no entry. One statement a
 * source, however many students. Throws ENGINE_UNAVAILABLE when the items that were answered cannot be read.
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
      // In a session of a plan the item is as the session had it.
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

/** What a task was is told by the bank that the session was made with, whether it is withdrawn by today's. */
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
