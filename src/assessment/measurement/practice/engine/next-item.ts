// Selects the next practice item: targets alternate, and each item is chosen by its target's answers so far.
import type { GradeBand, ItemBank } from '../../../content/engine/index.ts';
import { estimateAbility } from '../../scoring/engine/eap.ts';
import { type Selection, selectNext } from '../../scoring/engine/select.ts';
import type { MeasurementValues } from '../../scoring/engine/values.ts';
import type { Target } from './targets.ts';

export interface PracticeServed {
  readonly servedItemId: string;
  /** From 1, in serving order. */
  readonly seq: number;
  readonly itemId: string;
  readonly subSkillCode: string;
  readonly difficultyLogit: number;
  /** Null until it is answered. */
  readonly answer: { readonly selectedOptionIndex: number | null; readonly correct: boolean } | null;
}

export interface PracticeState {
  readonly targets: readonly Target[];
  readonly itemBudget: number;
  readonly band: GradeBand;
  /** Items served to the student in the 30 days before the queue was made. */
  readonly seenItemIds: ReadonlySet<string>;
  /** Targets without further items. */
  readonly closedSubSkills: ReadonlySet<string>;
  /** By seq. */
  readonly served: readonly PracticeServed[];
}

export type PracticeStep =
  | { readonly outcome: 'waiting'; readonly served: PracticeServed }
  | ({ readonly outcome: 'item_served'; readonly subSkillCode: string } & Selection)
  | { readonly outcome: 'no_eligible_item'; readonly subSkillCode: string }
  | { readonly outcome: 'queue_complete' };

export interface PracticeRules {
  readonly bank: ItemBank;
  readonly values: Pick<MeasurementValues, 'nearLogit' | 'fairLogit'>;
}

/**
 * Returns the next step. `waiting`: the current item until it is answered. `no_eligible_item`: the caller closes the
 * target and calls again.
 */
export function nextPracticeStep(state: PracticeState, { bank, values }: PracticeRules): PracticeStep {
  const last = state.served.at(-1);
  if (last && last.answer === null) return { outcome: 'waiting', served: last };
  if (answeredOf(state.served) >= state.itemBudget) return { outcome: 'queue_complete' };
  const target = nextTarget(state);
  if (!target) return { outcome: 'queue_complete' };
  const { subSkillCode } = target;
  const { nearLogit, fairLogit } = values;
  const selection = selectNext({
    cell: bank.cell(subSkillCode, state.band),
    theta: currentTheta(state, target),
    served: new Set(state.served.map(({ itemId }) => itemId)),
    seen: state.seenItemIds,
    nearLogit,
    fairLogit,
  });
  return selection
    ? { outcome: 'item_served', subSkillCode, ...selection }
    : { outcome: 'no_eligible_item', subSkillCode };
}

/** Returns the number of answered items without skipped ones. */
export const answeredOf = (served: readonly Pick<PracticeServed, 'answer'>[]): number =>
  served.filter(({ answer }) => answer !== null && answer.selectedOptionIndex !== null).length;

/** Returns the target after the last served one, cyclically, without closed ones. */
export function nextTarget({ targets, served, closedSubSkills }: PracticeState): Target | undefined {
  const lastAt = targets.findIndex(({ subSkillCode }) => subSkillCode === served.at(-1)?.subSkillCode);
  const round = [...targets.slice(lastAt + 1), ...targets.slice(0, lastAt + 1)];
  return round.find(({ subSkillCode }) => !closedSubSkills.has(subSkillCode));
}

/** Returns theta in logits from the target's prior and the answers of this queue. */
function currentTheta({ served }: PracticeState, { subSkillCode, prior }: Target): number {
  const scored = served.flatMap((one) =>
    one.subSkillCode === subSkillCode && one.answer !== null && one.answer.selectedOptionIndex !== null
      ? [{ itemId: one.itemId, difficultyLogit: one.difficultyLogit, correct: one.answer.correct }]
      : [],
  );
  return estimateAbility(scored, prior).theta;
}
