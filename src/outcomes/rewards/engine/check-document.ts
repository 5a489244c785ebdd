// Validates a rewards document beyond its schema: rising thresholds, unique badge codes, and the golden cases of this
// and all earlier versions.
import { isDeepStrictEqual } from 'node:util';
import { errorFinding, type Finding, type ValueQuestion } from '#rules/rulesets/engine/index.ts';
import { type EvaluatedCalendar, type EvaluatedFact, evaluateRewards } from './evaluate.ts';
import { compileRewards, type RewardRules, type RewardsDocument } from './rules.ts';
import type { Streak } from './streak.ts';

/** An approved golden case, short enough to be read: amounts, codes and celebrations. */
export interface RewardCase {
  readonly name: string;
  readonly calendar: EvaluatedCalendar;
  readonly events: readonly EvaluatedFact[];
  readonly answer: {
    /** `credit 20`, `credit 10 of 50`, `badge_bonus 10`. */
    readonly xp: readonly string[];
    readonly badges: readonly string[];
    readonly streak: Streak;
    /** `avatar_tier 2`. */
    readonly celebrations: readonly string[];
  };
}

/** Returns the findings of a document that has passed the schema. Pure. */
export function rewardFindings({ document, cases }: ValueQuestion): readonly Finding[] {
  const rewards = document as RewardsDocument;
  const early = [
    ...notRising('avatarTiers', rewards.avatarTiers),
    ...notRising('streak/milestones', rewards.streak.milestones),
    ...repeatedCodes(rewards),
  ];
  if (early.length > 0) return early;
  const rules = compileRewards(rewards);
  return cases.flatMap((one) => caseFindings(one, rules));
}

function notRising(at: string, numbers: readonly number[]): Finding[] {
  const rises = numbers.every((one, index) => index === 0 || one > (numbers[index - 1] as number));
  return rises ? [] : [errorFinding('SCHEMA', 'not_rising', { path: at })];
}

function repeatedCodes({ badges }: RewardsDocument): Finding[] {
  const codes = badges.map(({ code }) => code);
  return codes
    .filter((code, at) => codes.indexOf(code) < at)
    .map((badge) => errorFinding('SCHEMA', 'badge_twice', { badge }));
}

const members = ['name', 'calendar', 'events', 'answer', 'acceptedChange'];

function caseFindings(one: ValueQuestion['cases'][number], rules: RewardRules): Finding[] {
  if (!isRewardCase(one)) {
    const held = 'name, calendar, events and answer';
    return [errorFinding('CASE_FAILED', 'members', { case: one.name, members: held })];
  }
  const answer = answerTo(one, rules);
  if (isDeepStrictEqual(answer, one.answer)) return [];
  const args = { case: one.name, expected: JSON.stringify(one.answer), answer: JSON.stringify(answer) };
  return [errorFinding('CASE_FAILED', 'answered_otherwise', args)];
}

function answerTo({ calendar, events }: Omit<RewardCase, 'name' | 'answer'>, rules: RewardRules) {
  const { xp, badges, streak, celebrations } = evaluateRewards(rules, calendar, events);
  return {
    xp: (xp as readonly { kind: string; amount: number; cappedFrom?: number }[]).map(
      ({ kind, amount, cappedFrom }) => `${kind} ${amount}${cappedFrom === undefined ? '' : ` of ${cappedFrom}`}`,
    ),
    badges: (badges as readonly { code: string }[]).map(({ code }) => code),
    streak,
    celebrations: (celebrations as readonly { kind: string; value: number }[]).map(
      ({ kind, value }) => `${kind} ${value}`,
    ),
  };
}

function isRewardCase(value: object): value is RewardCase {
  const one = value as Partial<Record<keyof RewardCase, unknown>>;
  return (
    Object.keys(value).every((member) => members.includes(member)) &&
    [one.calendar, one.answer].every((member) => typeof member === 'object' && member !== null) &&
    Array.isArray(one.events) &&
    one.events.every((event) => typeof event?.sourceKind === 'string' && typeof event.sessionKey === 'string')
  );
}
