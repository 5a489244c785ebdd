// What a draft of rewards would change: of each student of whom growth was recorded lately, what it brings in both states.
import { rewardSimulation } from '#outcomes/rewards/index.ts';
import { addHits, type HitCount, type ImpactPosition, tallyOf } from '../position.ts';
import { addPairs, type Pair } from '../tally.ts';
import { notRaised, simulatedDays } from '../vocabulary.ts';

type Simulated = rewardSimulation.Simulated;

export interface RewardedStudent {
  readonly organizationId: string;
  readonly studentId: number;
  readonly before: Simulated;
  readonly after: Simulated;
}

const prefix = rewardSimulation.rewardsDocument;
const named = (what: string): string => `${prefix} ${what}`;

/** Adds one student's rewards to the position, and answers whether they differ. */
export function countRewards(position: ImpactPosition, student: RewardedStudent): boolean {
  const { organizationId, studentId, before, after } = student;
  countSide(position, 'before', before);
  countSide(position, 'after', after);
  const way = after.xp > before.xp ? 'gaining' : after.xp < before.xp ? 'losing' : 'same';
  addHits(position, 'after', named(`students ${way}`), 1);
  const newest = String(before.events.at(-1)?.id ?? '');
  const who = { organizationId, studentId, ref: newest };
  const oneOf = (from: number, to: number) => [{ subject: newest, from: String(from), to: String(to) }];
  const credits = before.events.map(({ id, credit }, at) => {
    return { subject: String(id), from: String(credit), to: String(after.events[at]?.credit) };
  });
  const isOther = [
    addPairs(tallyOf(position, 'XP'), who, credits),
    addPairs(tallyOf(position, 'BADGE'), who, badgePairs(before, after)),
    addPairs(tallyOf(position, 'AVATAR_TIER'), who, oneOf(before.avatarTier, after.avatarTier)),
    addPairs(tallyOf(position, 'STREAK'), who, oneOf(before.streak, after.streak)),
  ];
  return isOther.some(Boolean) || before.celebrations.join() !== after.celebrations.join() || way !== 'same';
}

/** Of each badge that is awarded on a side at least. */
const badgePairs = (before: Simulated, after: Simulated): Pair[] =>
  [...new Set([...before.badges.keys(), ...after.badges.keys()])].map((code) => ({
    subject: code,
    from: before.badges.has(code) ? code : notRaised,
    to: after.badges.has(code) ? code : notRaised,
  }));

function countSide(position: ImpactPosition, side: 'before' | 'after', simulated: Simulated): void {
  for (const { sourceKind, credit } of simulated.events) {
    addHits(position, side, named(`events ${sourceKind}`), 1);
    addHits(position, side, named(`xp ${sourceKind}`), credit);
  }
  addHits(position, side, named('bonus'), simulated.bonusXp);
  for (const code of simulated.badges.keys()) addHits(position, side, named(`badge ${code}`), 1);
  for (const celebration of simulated.celebrations) addHits(position, side, named(`celebration ${celebration}`), 1);
}

export type RewardsReport = ReturnType<typeof rewardsReport>;

/** Everything that was counted; lists hold what was found on a side at least, in the order of the rules. */
export function rewardsReport({ hits }: ImpactPosition, { before, after }: rewardSimulation.RewardPair) {
  const of = (what: string): HitCount => hits[named(what)] ?? { before: 0, after: 0 };
  const students = (way: string) => of(`students ${way}`).after;
  const [gaining, losing] = [students('gaining'), students('losing')];
  const codes = [...new Set([...after.badges, ...before.badges].map(({ code }) => code))];
  const values = [...new Set([...after.streak.milestones, ...before.streak.milestones])];
  return {
    windowDays: simulatedDays,
    students: { rewarded: gaining + losing + students('same'), gaining, losing },
    byKind: rewardSimulation.masterySourceKinds.flatMap((sourceKind) => {
      const events = of(`events ${sourceKind}`).before;
      return events === 0 ? [] : [{ sourceKind, events, xp: { ...of(`xp ${sourceKind}`) } }];
    }),
    bonusXp: { ...of('bonus') },
    badges: codes.map((code) => ({ code, ...of(`badge ${code}`) })).filter(isFound),
    celebrations: [
      ...tiers.map((value) => ({ kind: 'avatar_tier' as const, value })),
      ...values.toSorted((one, other) => one - other).map((value) => ({ kind: 'streak_milestone' as const, value })),
    ]
      .map((one) => ({ ...one, ...of(`celebration ${one.kind} ${one.value}`) }))
      .filter(isFound),
  };
}

/** Those that can be passed. */
const tiers = [2, 3, 4, 5];

const isFound = ({ before, after }: HitCount): boolean => before + after > 0;
