// Schema of the rewards document.
import { type DocumentSchemas, type Schema, schemaBuilders } from '#rules/rulesets/engine/index.ts';

const { listOf, strict, text } = schemaBuilders;

/** Stored in mastery events; the values are frozen. */
const sourceKinds = [
  ...['subskill_state_up', 'skill_status_transition', 'domain_status_escalation', 'band_progression'],
  ...['cbm_trend_above_goal', 'bundle_step_goal_met', 'bundle_completion', 'scaffold_tier_step_up'],
];

const whole = (maximum: number): Schema => ({ type: 'integer', minimum: 1, maximum });
const xp = whole(1_000);
const word = { type: 'string', pattern: '^[a-z][a-z0-9_]{1,39}$' };
const label = { ...text, maxLength: 80 };

const rewards = {
  xp: strict(Object.fromEntries(sourceKinds.map((kind) => [kind, xp]))),
  sessionCap: whole(10_000),
  /** Thresholds of tiers 2 to 5; the first tier has none. */
  avatarTiers: listOf(whole(10_000), { uniqueItems: true, minItems: 4, maxItems: 4 }),
  streak: strict({
    graceSchoolDays: { type: 'integer', minimum: 0, maximum: 60 },
    milestones: listOf(whole(1_000), { uniqueItems: true, minItems: 1, maxItems: 20 }),
  }),
  badges: listOf(
    strict({
      code: word,
      nameAr: label,
      descriptionAr: { ...text, maxLength: 200 },
      condition: {
        anyOf: [
          strict({ events: whole(10_000) }),
          strict({ kind: { enum: sourceKinds } }),
          strict({ streak: whole(1_000) }),
        ],
      },
      bonusXp: xp,
    }),
    { uniqueItems: true, minItems: 1, maxItems: 60 },
  ),
  framing: strict({ topLabelAr: label, bottomLabelAr: label }),
};

export const documentSchemas: DocumentSchemas = {
  sections: { 'gamification/rewards': rewards },
};
