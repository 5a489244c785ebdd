// Joins training answers with their items: the session's own bank says what an option reveals, today's bank whether the
// item is still in use.
import type { Item, ItemBank, ItemBanks } from '../content/index.ts';
import type { BehaviourLayer, TrainingAnswer } from '../measurement/index.ts';
import { stampVersion } from '../measurement/index.ts';
import type { ClassifiedAnswer } from './engine/occurrences.ts';

/**
 * Returns the answers with their items; an answer without an item in its bank is omitted. Throws ENGINE_UNAVAILABLE
 * without a bank.
 */
export async function classifyAnswers(
  banks: ItemBanks,
  behaviourOf: BehaviourLayer,
  answers: readonly TrainingAnswer[],
): Promise<ClassifiedAnswer[]> {
  const pinned = await pinnedBanks(banks, answers);
  const today = await banks.current();
  return answers.flatMap((answer) => {
    const item = pinned.get(answer.bankVersion)?.find(answer.itemId);
    if (!item) return [];
    const active = (today.find(item.id) ?? item).status === 'active';
    return [{ answer, item, active, rapid: isRapid(answer, item, behaviourOf) }];
  });
}

async function pinnedBanks(banks: ItemBanks, answers: readonly TrainingAnswer[]): Promise<Map<string, ItemBank>> {
  const found = new Map<string, ItemBank>();
  for (const stamp of new Set(answers.map(({ bankVersion }) => bankVersion))) {
    found.set(stamp, await banks.version(stampVersion(stamp)));
  }
  return found;
}

/**
 * Evaluates the behaviour layer with a session of this one answer, so that the limit for rapid answers is defined once.
 */
function isRapid(
  { selectedOptionIndex: index, correct, latencyMs }: TrainingAnswer,
  item: Item,
  behaviourOf: BehaviourLayer,
) {
  const response = {
    itemId: item.id,
    subSkillCode: item.subSkillCode,
    expectedSeconds: item.expectedSeconds,
    designedPatterns: item.designedPatterns,
    withdrawn: false,
    choice: { index, correct, microPattern: null },
    latencyMs,
    hintServed: false,
    audioReplays: 0,
    optionChanges: 0,
  };
  return behaviourOf({ responses: [response], pausesMs: [] }).facts.rapid > 0;
}
