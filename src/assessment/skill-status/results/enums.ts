// Enums of runs and their rows that no rule document owns.

/** The trigger of a run. */
export const triggerKinds = [
  'diagnostic_finished',
  'practice_completed',
  'orf_scored',
  'context_flag_changed',
  'grade_changed',
  'rule_activation',
  'evidence_corrected',
  'admin',
] as const;
export type TriggerKind = (typeof triggerKinds)[number];

export const skillOutcomes = ['decided', 'do_not_decide_yet'] as const;
export const domainOutcomes = [...skillOutcomes, 'not_assessed', 'not_in_scope'] as const;
