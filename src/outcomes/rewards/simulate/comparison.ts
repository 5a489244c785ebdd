// Compares what a draft of the rewards changes for one student, event by event in the last days.
import { flagPairs, type SimulationTally } from '#rules/rulesets/index.ts';
import { rewardsDocument } from '../engine/rules.ts';
import type { Simulated } from '../engine/simulate.ts';
import type { RewardedStudent } from './students.ts';

/** Layers of the comparison: credits are compared by event, the others by student. */
export const rewardLayers = ['XP', 'BADGE', 'AVATAR_TIER', 'STREAK'] as const;

/** Returns the name of a count in a simulation. */
export const rewardCountName = (what: string): string => `${rewardsDocument} ${what}`;

/** Adds one student's rewards, and returns whether they change. */
export function tallyRewards(tally: SimulationTally, { studentId, before, after }: RewardedStudent): boolean {
  tallySide(tally, 'before', before);
  tallySide(tally, 'after', after);
  const change = after.xp > before.xp ? 'gaining' : after.xp < before.xp ? 'losing' : 'same';
  tally.addHits('after', rewardCountName(`students ${change}`));
  const newest = String(before.events.at(-1)?.id ?? '');
  const of = { studentId, ref: newest };
  const pairOf = (from: number, to: number) => [{ subject: newest, from: String(from), to: String(to) }];
  const credits = before.events.map(({ id, credit }, at) => {
    return { subject: String(id), from: String(credit), to: String(after.events[at]?.credit) };
  });
  const codes = [...new Set([...before.badges.keys(), ...after.badges.keys()])];
  const raised = ({ badges }: Simulated, code: string) => (badges.has(code) ? [code] : []);
  const badges = codes.flatMap((code) => flagPairs(code, raised(before, code), raised(after, code)));
  const changes = [
    tally.addPairs('XP', of, credits),
    tally.addPairs('BADGE', of, badges),
    tally.addPairs('AVATAR_TIER', of, pairOf(before.avatarTier, after.avatarTier)),
    tally.addPairs('STREAK', of, pairOf(before.streak, after.streak)),
  ];
  return changes.some(Boolean) || before.celebrations.join() !== after.celebrations.join() || change !== 'same';
}

function tallySide(tally: SimulationTally, side: 'before' | 'after', simulated: Simulated): void {
  for (const { sourceKind, credit } of simulated.events) {
    tally.addHits(side, rewardCountName(`events ${sourceKind}`));
    tally.addHits(side, rewardCountName(`xp ${sourceKind}`), credit);
  }
  tally.addHits(side, rewardCountName('bonus'), simulated.bonusXp);
  for (const code of simulated.badges.keys()) tally.addHits(side, rewardCountName(`badge ${code}`));
  for (const celebration of simulated.celebrations) tally.addHits(side, rewardCountName(`celebration ${celebration}`));
}
