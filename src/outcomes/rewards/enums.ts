// The closed words of the ledgers of growth that the engine has no use for.

/** What a mastery event was found in. */
export const masterySourceTypes = [
  'skill_state',
  'skill_snapshot',
  'domain_snapshot',
  'orf_assessment',
  'cbm_probe',
  'bundle_assignment',
] as const;
export type MasterySourceType = (typeof masterySourceTypes)[number];
