// Layer A (LSA): the state of a sub-skill over school years, moved by the outcome of each run.

import type { SkillStatus } from '#assessment/skill-status/engine/index.ts';
import { daysBetween } from '#core/platform/pure/dates/days.ts';
import { firstHit, type RuleBundle } from '#rules/rulesets/engine/index.ts';
import { listedFacts } from '../../../interventions/engine/index.ts';
import { type SkillState, type SkillStateOrNone, skillStates } from '../vocabulary.ts';
import type { Measurement } from './measurements.ts';

export interface LayerAQuestion {
  readonly prior: SkillStateOrNone;
  /** The outcome of the sub-skill in the run. */
  readonly outcome: SkillStatus | 'do_not_decide_yet';
  /** Including those of this run. */
  readonly measurements: readonly Measurement[];
  /** The trend of the repeated measure of the sub-skill's role. */
  readonly trend: 'none' | 'insufficient_points' | 'trend_below_goal' | 'trend_mixed' | 'trend_above_goal';
}

export const skillStateFacts = listedFacts({
  outcome: 'word',
  prior: 'word',
  run: 'number',
  runDays: 'number',
  trend: 'word',
});

export interface LayerAAnswer {
  readonly ruleId: string;
  readonly state: SkillStateOrNone;
  /** A row is appended only for a change. */
  readonly changed: boolean;
  /** The event of a step up; none for the first state. */
  readonly event: 'subskill_state_up' | null;
  readonly facts: ReturnType<typeof factsOf>;
}

/** Upper bounds of the facts' domains. */
const [mostRun, mostRunDays] = [12, 300];

/** Throws BundleError when the document is missing, RangeError when it has an unknown value. */
export function compileLayerA(bundle: RuleBundle): (question: LayerAQuestion) => LayerAAnswer {
  const ask = firstHit(bundle.table('rti/skill-state'), skillStateFacts, (answer) => ({
    ruleId: answer.ruleId,
    next: answer.word('outcome', ['keep', ...skillStates]),
  }));
  return (question) => {
    const { prior } = question;
    const facts = factsOf(question);
    const { ruleId, next } = ask(facts);
    const state = next === 'keep' ? prior : next;
    const event = isStepUp(prior, state) ? 'subskill_state_up' : null;
    return { ruleId, state, changed: state !== prior, event, facts };
  };
}

/** The facts are in the order of the table. */
function factsOf({ prior, outcome, measurements, trend }: LayerAQuestion) {
  const run = outcome === 'adequate' ? adequateRun(measurements) : [];
  const [first, last] = [run[0], run.at(-1)];
  const runDays = first && last ? daysBetween(first.endedOn, last.endedOn) : 0;
  return {
    ...{ outcome, prior },
    run: Math.min(run.length, mostRun),
    runDays: Math.min(runDays, mostRunDays),
    trend,
  };
}

/** The newest consecutive adequate measurements. */
const adequateRun = (measurements: readonly Measurement[]): readonly Measurement[] =>
  measurements.slice(measurements.findLastIndex(({ status }) => status !== 'adequate') + 1);

const isStepUp = (from: SkillStateOrNone, to: SkillStateOrNone): boolean =>
  from !== 'none' && from !== to && rankOf(to) > rankOf(from);

const ranks: Readonly<Record<SkillState, number>> = { monitoring: 0, on_track: 1, maintenance: 2 };
const rankOf = (state: SkillStateOrNone): number => (state === 'none' ? -1 : ranks[state]);
