// Layer A (LSA): where a sub-skill stands over time, moved by each run's outcome, over school years.

import type { SkillStatus } from '#assessment/skill-status/engine/index.ts';
import { daysBetween } from '#core/platform/pure/dates/days.ts';
import { firstHit, type RuleBundle } from '#rules/rulesets/engine/index.ts';
import { listedFacts } from '../../../interventions/engine/index.ts';
import { type SkillState, type SkillStateOrNone, skillStates } from '../vocabulary.ts';
import type { Measurement } from './measurements.ts';

export interface LayerAQuestion {
  readonly prior: SkillStateOrNone;
  /** What the run says of the sub-skill. */
  readonly outcome: SkillStatus | 'do_not_decide_yet';
  /** With what this run added. */
  readonly measurements: readonly Measurement[];
  /** Of the repeated measure that is bound to the sub-skill's role. */
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
  /** A row is appended for a change alone. */
  readonly changed: boolean;
  /** The event of a step up; none of the first judgement. */
  readonly event: 'subskill_state_up' | null;
  readonly facts: ReturnType<typeof factsOf>;
}

/** The facts' domains end here. */
const [mostRun, mostRunDays] = [12, 300];

/** Throws BundleError when the document is missing, RangeError when it says words that are not known. */
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

/** In the order of the table. */
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

/** The newest consecutive adequate ones. */
const adequateRun = (measurements: readonly Measurement[]): readonly Measurement[] =>
  measurements.slice(measurements.findLastIndex(({ status }) => status !== 'adequate') + 1);

const isStepUp = (from: SkillStateOrNone, to: SkillStateOrNone): boolean =>
  from !== 'none' && from !== to && rankOf(to) > rankOf(from);

const ranks: Readonly<Record<SkillState, number>> = { monitoring: 0, on_track: 1, maintenance: 2 };
const rankOf = (state: SkillStateOrNone): number => (state === 'none' ? -1 : ranks[state]);
