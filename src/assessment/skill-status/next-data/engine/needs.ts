// The needs of a student: sub-skills with insufficient evidence, and required roles without a decided domain.
import type { Role } from '#rules/catalogue/engine/index.ts';
import type { HaltAction, HaltReason } from '../../engine/vocabulary.ts';

/** A sub-skill of the current run without a status. */
export interface Halt {
  readonly subSkillCode: string;
  readonly reason: HaltReason;
  readonly action: HaltAction;
  readonly distinctItems: number;
}

/** A need that one measurement ends: a halt, or a required role without a decision. */
export interface Need {
  readonly reason: HaltReason | 'REQUIRED_ROLE';
  readonly action: HaltAction;
  readonly itemsNeeded: number;
  /** One of these must be measured: the halted sub-skill, or those by which the first part measures the role. */
  readonly subSkillCodes: readonly string[];
}

export interface NeedLimits {
  /** DTH-MIN-01 */
  readonly minimumItems: number;
  /** DTH-CNF-03 */
  readonly sideUnits: number;
}

/**
 * Returns the units that a halt lacks: up to the minimum, or one side's units in one new session when the evidence
 * conflicts.
 */
export const haltNeed = ({ subSkillCode, reason, action, distinctItems }: Halt, limits: NeedLimits): Need => ({
  reason,
  action,
  itemsNeeded: reason === 'CONFLICTING_EVIDENCE' ? limits.sideUnits : Math.max(0, limits.minimumItems - distinctItems),
  subSkillCodes: [subSkillCode],
});

interface SubSkillDomain {
  readonly code: string;
  readonly domain: string;
}

export interface RoleFacts {
  /** The roles that the grade requires. */
  readonly required: readonly Role[];
  /** Sub-skills of each part of the grade's diagnostic, in order. */
  readonly parts: readonly (readonly string[])[];
  /** Halted sub-skills that a diagnostic can decide. */
  readonly coveredHalts: readonly string[];
  readonly decidedDomains: ReadonlySet<string>;
}

/**
 * Returns the needs of required roles. A role is missing while none of its domains has a status; the first part that
 * measures it fills it. A halt in one of its domains covers the role, which is then no need of its own.
 */
export function roleNeeds(
  { required, parts, coveredHalts, decidedDomains }: RoleFacts,
  subSkills: readonly SubSkillDomain[],
  { minimumItems }: NeedLimits,
): Need[] {
  const domainOf = new Map(subSkills.map(({ code, domain }) => [code, domain]));
  const within = (codes: readonly string[], { domains }: Role) =>
    codes.filter((code) => domains.includes(domainOf.get(code) ?? ''));
  return required
    .filter((role) => within(coveredHalts, role).length === 0)
    .filter(({ domains }) => !domains.some((domain) => decidedDomains.has(domain)))
    .map((role) => ({
      reason: 'REQUIRED_ROLE',
      action: 'run_diagnostic',
      itemsNeeded: minimumItems,
      subSkillCodes: parts.map((part) => within(part, role)).find((codes) => codes.length > 0) ?? [],
    }));
}
