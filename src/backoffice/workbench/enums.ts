// Enums of changes and schedules, as they are stored and returned.
export const changeStates = [
  'draft',
  'validated',
  'in_review',
  'suspended',
  'published',
  'rejected',
  'withdrawn',
] as const;
export type ChangeState = (typeof changeStates)[number];

/** States in which the texts of a change may be written and checked. */
export const editableStates = ['draft', 'validated', 'suspended'] as const;
/** States that a change does not leave. */
export const closedChangeStates = ['published', 'rejected', 'withdrawn'] as const;

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
/** Where a change stands in the timeline. */
export const activationStates = ['scheduled', 'in_force', 'past', 'refused', 'withdrawn'] as const;
/** How a rule of a table differs between two texts. */
export const rowChanges = ['added', 'removed', 'moved', 'changed'] as const;
