// The rewards section of an impact report: what mastery events of the last days earn by both rules.
import Type, { type Static } from 'typebox';
import { Count, named, object, oneOf } from '#core/http/schemas.ts';
import { type Sides, type SimulationCounts, simulatedDays } from '#rules/rulesets/index.ts';
import { celebrationKinds, masterySourceKinds } from '../engine/enums.ts';
import { rewardCountName } from './comparison.ts';
import type { RewardPair } from './students.ts';

const sides = { before: Count, after: Count };

export const RewardsSection = named(
  'ImpactOnRewards',
  object({
    windowDays: Count,
    students: object({ rewarded: Count, gaining: Count, losing: Count }),
    byKind: Type.Array(object({ sourceKind: oneOf(masterySourceKinds), events: Count, xp: object(sides) })),
    /** XP of badge bonuses. */
    bonusXp: object(sides),
    badges: Type.Array(object({ code: Type.String(), ...sides })),
    celebrations: Type.Array(object({ kind: oneOf(celebrationKinds), value: Count, ...sides })),
  }),
);

/** Builds the section; lists contain what occurs on at least one side, in the order of the rules. */
export function rewardsSection(
  { hitsOf }: SimulationCounts,
  { before, after }: RewardPair,
): Static<typeof RewardsSection> {
  const of = (what: string): Sides<number> => hitsOf(rewardCountName(what));
  const students = (change: string) => of(`students ${change}`).after;
  const [gaining, losing] = [students('gaining'), students('losing')];
  const codes = [...new Set([...after.badges, ...before.badges].map(({ code }) => code))];
  const values = [...new Set([...after.streak.milestones, ...before.streak.milestones])];
  return {
    windowDays: simulatedDays,
    students: { rewarded: gaining + losing + students('same'), gaining, losing },
    byKind: masterySourceKinds.flatMap((sourceKind) => {
      const events = of(`events ${sourceKind}`).before;
      return events === 0 ? [] : [{ sourceKind, events, xp: of(`xp ${sourceKind}`) }];
    }),
    bonusXp: of('bonus'),
    badges: codes.map((code) => ({ code, ...of(`badge ${code}`) })).filter(isFound),
    celebrations: [
      ...avatarTiers.map((value) => ({ kind: 'avatar_tier' as const, value })),
      ...values.toSorted((one, other) => one - other).map((value) => ({ kind: 'streak_milestone' as const, value })),
    ]
      .map((one) => ({ ...one, ...of(`celebration ${one.kind} ${one.value}`) }))
      .filter(isFound),
  };
}

/** Tiers above the initial one. */
const avatarTiers = [2, 3, 4, 5];

const isFound = ({ before, after }: Sides<number>): boolean => before + after > 0;
