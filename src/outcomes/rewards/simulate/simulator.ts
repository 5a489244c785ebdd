// Simulates the rewards rules: what the mastery events of the last days would have earned each student.

import Type from 'typebox';
import { nullable } from '#core/http/schemas.ts';
import { type ExplainedSlot, notRaised, type RecordSimulator } from '#rules/rulesets/index.ts';
import { rewardRules, rewardsDocument } from '../engine/rules.ts';
import { rewardLayers, tallyRewards } from './comparison.ts';
import { RewardsSection, rewardsSection } from './section.ts';
import { rewardedStudents } from './students.ts';

export const rewardSimulator: RecordSimulator = {
  compares: 'records',
  rank: 70,
  layers: rewardLayers,
  simulates: (document) => document === rewardsDocument,
  section: { name: 'rewards', schema: Type.Optional(nullable(RewardsSection)) },
  prepare: (bundles) => {
    const rules = { before: rewardRules(bundles.before), after: rewardRules(bundles.after) };
    const badges = [...rules.before.badges, ...rules.after.badges].map(({ code }) => code);
    return {
      scales: { XP: 'numbers', AVATAR_TIER: 'numbers', STREAK: 'numbers', BADGE: [notRaised, ...badges] },
      compare: async (tally, reading, services, of) => {
        const students = await rewardedStudents(reading, services, rules, of);
        return new Map(students.map((student) => [student.studentId, tallyRewards(tally, student)]));
      },
      explain:
        async () =>
        ({ layer, from, to, ref, subject }): ExplainedSlot => ({
          stampId: `mastery:${layer === 'XP' ? subject : ref}`,
          before: { ruleId: null, outcome: from, facts: null },
          after: { ruleId: null, outcome: to, facts: null },
        }),
      sectionOf: (counts) => rewardsSection(counts, rules),
    };
  },
};
