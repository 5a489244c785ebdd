// Enums of drafts and schedules, as they are stored and returned.
export const draftStates = [
  'draft',
  'validated',
  'in_review',
  'suspended',
  'published',
  'rejected',
  'withdrawn',
] as const;
export type DraftState = (typeof draftStates)[number];

export const declineReasons = [
  'needs_cases',
  'impact_unacceptable',
  'wording',
  'evidence_missing',
  'duplicate',
  'none_fits',
] as const;
export type DeclineReason = (typeof declineReasons)[number];

/** How a schedule ended. */
export const scheduleOutcomes = ['activated', 'refused', 'withdrawn'] as const;
/** How a replayed result differs from the stored one. */
export const differingVerdicts = ['inputs_differ', 'rules_differ'] as const;
