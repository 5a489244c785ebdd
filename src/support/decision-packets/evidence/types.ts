// What a team may look at when it thinks about a student: facts that the service has stored, each with the word that it says.
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
  /** `<type>:<refId>` */
  readonly evidenceId: string;
  readonly type: EvidenceType;
  readonly refId: string;
  /** ISO 8601; of a fact that has only a date, its local midnight. */
  readonly occurredAt: string;
  readonly subSkillCode: string | null;
  readonly domainCode: string | null;
  readonly measure: string | null;
  readonly valueCode: string;
  readonly ruleVersion: string | null;
}
