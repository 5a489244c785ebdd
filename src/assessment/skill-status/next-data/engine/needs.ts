// What is still missing to judge a student: sub-skills whose evidence does not suffice, and required roles that nothing
// speaks for yet.
import type { Role } from '#rules/catalogue/engine/index.ts';
import type { HaltAction, HaltReason } from '../../engine/vocabulary.ts';

/** A sub-skill of the current run that is left without a status. */
export interface Halt {
  readonly subSkillCode: string;
  readonly reason: HaltReason;
  readonly action: HaltAction;
  readonly distinctItems: number;
}

/** What one measurement ends: a halt, or a required role's silence. */
export interface Need {
  readonly reason: HaltReason | 'REQUIRED_ROLE';
  readonly action: HaltAction;
  readonly itemsNeeded: number;
  /** One of these is to be measured: the halted sub-skill, or those by which the first part measures the role. */
  readonly subSkillCodes: readonly string[];
}

export interface NeedLimits {
  /** DTH-MIN-01 */
  readonly minimumItems: number;
  /** DTH-CNF-03 */
  readonly sideUnits: number;
}

/** Units that a halt lacks: to the minimum, or a side's worth in one new session where the evidence is divided. */
export const haltNeed = ({ subSkillCode, reason, action, distinctItems }: Halt, limits: NeedLimits): Need => ({
  reason,
  action,
  itemsNeeded: reason === 'CONFLICTING_EVIDENCE' ? limits.sideUnits : Math.max(0, limits.minimumItems - distinctItems),
  subSkillCodes: [subSkillCode],
});

interface SubSkillPlace {
  readonly code: string;
  readonly domain: string;
}

export interface RoleFacts {
  /** Those that the grade requires. */
  readonly required: readonly Role[];
  /** Sub-skills of each part of the grade's diagnostic, in order. */
  readonly parts: readonly (readonly string[])[];
  /** Halted sub-skills that a diagnostic can bring to a status. */
  readonly spokenFor: readonly string[];
  readonly decidedDomains: ReadonlySet<string>;
}

/**
 * A required role is missing while none of its domains has a status; the first part that measures it fills it. What ends a
 * halt in one of its domains speaks for it too, so that it is no need of its own.
 */
export function roleNeeds(
  { required, parts, spokenFor, decidedDomains }: RoleFacts,
  subSkills: readonly SubSkillPlace[],
  { minimumItems }: NeedLimits,
): Need[] {
  const domainOf = new Map(subSkills.map(({ code, domain }) => [code, domain]));
  const within = (codes: readonly string[], { domains }: Role) =>
    codes.filter((code) => domains.includes(domainOf.get(code) ?? ''));
  return required
    .filter((role) => within(spokenFor, role).length === 0)
    .filter(({ domains }) => !domains.some((domain) => decidedDomains.has(domain)))
    .map((role) => ({
      reason: 'REQUIRED_ROLE',
      action: 'run_diagnostic',
      itemsNeeded: minimumItems,
      subSkillCodes: parts.map((part) => within(part, role)).find((codes) => codes.length > 0) ?? [],
    }));
}
