// Derives the status of each role from the domains of a run.

import type { SkillStatus } from '#assessment/skill-status/engine/index.ts';
import type { Role, Roles } from '#rules/catalogue/engine/index.ts';
import { concernOrder, type RoleCode } from '../vocabulary.ts';
import type { ProfileRun } from './run.ts';

export interface RoleStatus {
  readonly code: RoleCode;
  /** The worst status of its decided domains; null when none is decided. */
  readonly status: SkillStatus | null;
  readonly required: boolean;
  /** Whether the grade has a domain of the role. */
  readonly inScope: boolean;
  /** Whether a domain of the role is in contextual review. */
  readonly inContext: boolean;
}

/** In role order. */
export const roleStatuses = ({ roles }: Roles, grade: number, run: ProfileRun): RoleStatus[] =>
  roles.map((role) => roleStatus(role, grade, run));

function roleStatus({ code, domains, requiredGrades }: Role, grade: number, run: ProfileRun): RoleStatus {
  const found = domains.flatMap((domain) => run.domains[domain] ?? []);
  const decided = found.flatMap(({ outcome, status }) => (outcome === 'decided' && status ? [status] : []));
  return {
    code: code as RoleCode,
    status: worstOf(decided),
    required: requiredGrades.has(grade),
    inScope: found.some(({ outcome }) => outcome !== 'not_in_scope'),
    inContext: decided.includes('contextual_review'),
  };
}

/** By concern order; null for an empty list. */
export const worstOf = (statuses: readonly SkillStatus[]): SkillStatus | null =>
  concernOrder.find((status) => statuses.includes(status)) ?? null;
