// What is still missing to judge a student: sub-skills whose evidence does not suffice, and required roles that nothing
// speaks for yet.
import type { HaltAction, HaltReason } from '../../engine/vocabulary.ts';

/** A domain role that a grade's bundles and profiles ask for. */
export interface Role {
  readonly code: string;
  readonly domains: readonly string[];
}

/** The roles that a first diagnostic part can measure, and the domains that speak for each. */
export const roles: readonly Role[] = [
  { code: 'PHON', domains: ['PA'] },
  { code: 'LETTER', domains: ['LK'] },
  { code: 'DECODE', domains: ['DEC'] },
  { code: 'LANGUAGE', domains: ['LIS', 'VOC'] },
  { code: 'COMP', domains: ['RC'] },
];

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
  /** Sub-skills of the grade's first part: what it measures is required. */
  readonly firstPart: readonly string[];
  /** Halted sub-skills that a diagnostic can bring to a status. */
  readonly spokenFor: readonly string[];
  readonly decidedDomains: ReadonlySet<string>;
}

/**
 * A required role is missing while none of its domains has a status; the first part fills it. What ends a halt in one of
 * its domains speaks for it too, so that it is no need of its own.
 */
export function roleNeeds(
  { firstPart, spokenFor, decidedDomains }: RoleFacts,
  subSkills: readonly SubSkillPlace[],
  { minimumItems }: NeedLimits,
): Need[] {
  const domainOf = new Map(subSkills.map(({ code, domain }) => [code, domain]));
  const touches = (codes: readonly string[], { domains }: Role) =>
    codes.some((code) => domains.includes(domainOf.get(code) ?? ''));
  return roles
    .filter((role) => touches(firstPart, role) && !touches(spokenFor, role))
    .filter(({ domains }) => !domains.some((domain) => decidedDomains.has(domain)))
    .map(({ domains }) => ({
      reason: 'REQUIRED_ROLE',
      action: 'run_diagnostic',
      itemsNeeded: minimumItems,
      subSkillCodes: firstPart.filter((code) => domains.includes(domainOf.get(code) ?? '')),
    }));
}
