// Training answers beside the items they were given to: the session's own bank says what an option reveals, today's bank
// whether the item is still in use.
import type { Item, ItemBank, ItemBanks } from '../content/index.ts';
import type { BehaviourLayer, TrainingAnswer } from '../measurement/index.ts';
import { stampVersion } from '../measurement/index.ts';
import type { JudgedAnswer } from './engine/occurrences.ts';

/** An answer to an item that its bank does not have is left out. Throws ENGINE_UNAVAILABLE without a bank. */
export async function judgeAnswers(
  banks: ItemBanks,
  behaviourOf: BehaviourLayer,
  answers: readonly TrainingAnswer[],
): Promise<JudgedAnswer[]> {
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

/** Asked of the behaviour layer, a session of this one answer: what is too fast is said in one place. */
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
