// Evidence about a student: stored facts, each with a value.
export const evidenceTypes = [
  'sse_snapshot',
  'domain_status',
  'cbm_trend',
  'cbm_probe',
  'fidelity_snapshot',
  'assignment',
  'step_goal',
  'alert',
  'tier_movement',
  'skill_state',
  'context_flag',
  'observation',
] as const;
export type EvidenceType = (typeof evidenceTypes)[number];

export interface EvidenceItem {
  /** `<type>:<refId>`. */
  readonly evidenceId: string;
  readonly type: EvidenceType;
  readonly refId: string;
  /** ISO 8601; for a fact with a date only, its local midnight. */
  readonly occurredAt: string;
  readonly subSkillCode: string | null;
  readonly domainCode: string | null;
  readonly measure: string | null;
  readonly valueCode: string;
  readonly ruleVersion: string | null;
  /** The void that stands for the evidence, or for the newest session of a status. */
  readonly voidId: number | null;
}
