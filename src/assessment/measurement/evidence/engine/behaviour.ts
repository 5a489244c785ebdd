// Layer RBM: response behaviour of a session. Flags never change a score; they can only make a label more cautious.

import { ratio4, round4 } from '#core/platform/pure/round.ts';
import type { RuleBundle, Table } from '#rules/rulesets/engine/index.ts';
import { allHits } from '#rules/rulesets/engine/index.ts';
import { longestAlternation, longestRun, runLengths } from './runs.ts';
import { isSlow, type ServedResponse, type ServedSession } from './served.ts';
import type { Thresholds } from './thresholds.ts';

export interface BehaviourFacts {
  readonly served: number;
  readonly answered: number;
  readonly rapid: number;
  readonly rapidShare: number;
  readonly longestRapidStreak: number;
  readonly longestPositionStreak: number;
  readonly longestAlternation: number;
  readonly longestOmissionRun: number;
  readonly omissionShare: number;
  readonly pauses: number;
  readonly longestPauseSec: number;
  readonly totalPauseSec: number;
  readonly replayOveruseItems: number;
  readonly slowShare: number;
  readonly manyChangesItems: number;
  /** Share of right answers in the first half (rounded down) minus that in the rest; 0 below two answers. */
  readonly rightShareDrop: number;
}

export interface Behaviour {
  readonly facts: BehaviourFacts;
  /** Rule ids; RBM-00 alone for a session without flags. */
  readonly flags: readonly string[];
  /** One per response, in serving order: rapid, or part of a position streak. */
  readonly marks: readonly boolean[];
}

interface Limits {
  readonly rapidMs: number;
  readonly rapidShare: number;
  readonly positionStreak: number;
  readonly replaysPerItem: number;
  readonly changesPerItem: number;
  readonly slowFactor: number;
}

export type BehaviourLayer = (session: Pick<ServedSession, 'responses' | 'pausesMs'>) => Behaviour;

export function compileBehaviour(bundle: RuleBundle, { slowFactor }: Thresholds): BehaviourLayer {
  const table = bundle.table('rbm/rbm');
  const flagsOf = allHits(table, (answer) => answer.ruleId);
  const limits = { ...readLimits(table), slowFactor };
  return ({ responses, pausesMs }) => {
    const rapid = responses.map((response) => isRapid(response, limits));
    const positions = responses.map(({ choice }) => choice?.index ?? null);
    const streaks = runLengths(positions);
    const facts = {
      ...paceFacts(responses, rapid, limits.slowFactor),
      ...pauseFacts(pausesMs),
      longestPositionStreak: Math.max(0, ...streaks),
      longestAlternation: longestAlternation(positions),
      longestOmissionRun: longestRun(positions.map((position) => position === null)),
      replayOveruseItems: count(responses, (one) => one.audioReplays >= limits.replaysPerItem),
      manyChangesItems: count(responses, (one) => one.optionChanges >= limits.changesPerItem),
    };
    const marks = rapid.map((isRapidOne, at) => isRapidOne || (streaks[at] ?? 0) >= limits.positionStreak);
    return { facts, flags: flagsOf(facts), marks };
  };
}

function readLimits({ id, document }: Table) {
  const limit = (constant: string): number => {
    const value = document.constants?.[constant]?.value;
    if (typeof value !== 'number') throw new RangeError(`${id} has no number ${constant}`);
    return value;
  };
  return {
    rapidMs: limit('RBM-RAPID-MS'),
    rapidShare: limit('RBM-RAPID-SHARE'),
    positionStreak: limit('RBM-POSITION'),
    replaysPerItem: limit('RBM-REPLAY-PER-ITEM'),
    changesPerItem: limit('RBM-CHANGE-PER-ITEM'),
  };
}

/**
 * Returns whether an answer was faster than a tenth of the expected time (NT10, Wise & Ma 2012) or than 800 ms,
 * listening included.
 */
function isRapid({ choice, latencyMs, heardMs = latencyMs, expectedSeconds }: ServedResponse, limits: Limits): boolean {
  return choice !== null && heardMs < Math.max(limits.rapidMs, limits.rapidShare * 1000 * expectedSeconds);
}

function paceFacts(responses: readonly ServedResponse[], rapid: readonly boolean[], slowFactor: number) {
  const answers = responses.filter(({ choice }) => choice !== null);
  const rapidCount = rapid.filter(Boolean).length;
  return {
    served: responses.length,
    answered: answers.length,
    rapid: rapidCount,
    rapidShare: ratio4(rapidCount, answers.length),
    longestRapidStreak: longestRun(rapid),
    omissionShare: ratio4(responses.length - answers.length, responses.length),
    slowShare: ratio4(
      count(answers, (one) => isSlow(one, slowFactor)),
      answers.length,
    ),
    rightShareDrop: rightShareDrop(answers),
  };
}

const pauseFacts = (pausesMs: readonly number[]) => ({
  pauses: pausesMs.length,
  longestPauseSec: Math.max(0, ...pausesMs) / 1000,
  totalPauseSec: pausesMs.reduce((sum, pauseMs) => sum + pauseMs, 0) / 1000,
});

function rightShareDrop(answers: readonly ServedResponse[]): number {
  const half = Math.floor(answers.length / 2);
  if (half === 0) return 0;
  return round4(rightShare(answers.slice(0, half)) - rightShare(answers.slice(half)));
}

const rightShare = (answers: readonly ServedResponse[]): number =>
  count(answers, ({ choice }) => choice?.correct === true) / answers.length;

const count = <T>(list: readonly T[], matches: (one: T) => boolean): number => list.filter(matches).length;
