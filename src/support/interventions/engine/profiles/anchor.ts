// Finds the anchor: the role that a rule names, and in it the sub-skill that others build on.
import type { SkillStatus } from '#assessment/skill-status/engine/index.ts';
import { type AnchorKind, concernOrder, isCautious, isStrong, isWatched, type RoleCode } from '../vocabulary.ts';
import { type DecidedSkill, type ProfileContext, wantsAttention, weakIndicators } from './facts.ts';

export interface ProfileAnchor {
  readonly anchorRole: RoleCode | null;
  readonly anchorSubSkillCode: string | null;
  readonly anchorDomainCode: string | null;
  /** `NONE` without a sub-skill. */
  readonly anchorSkillGroup: string;
  readonly anchorStatus: SkillStatus | 'none';
}

export const noAnchor: ProfileAnchor = {
  anchorRole: null,
  anchorSubSkillCode: null,
  anchorDomainCode: null,
  anchorSkillGroup: 'NONE',
  anchorStatus: 'none',
};

export function anchorOf(kind: AnchorKind, context: ProfileContext): ProfileAnchor {
  if (kind === 'none') return noAnchor;
  if (kind === 'indicator') return anchored(null, weakIndicators(context)[0], context);
  const role = roleOf(kind, context);
  return role === null ? noAnchor : anchored(role, anchorSkill(role, context), context);
}

const firstRoles: Readonly<Record<string, (status: SkillStatus) => boolean>> = {
  first_strong: isStrong,
  first_weak_isolated: (status) => status === 'weak_isolated',
  first_caution: isCautious,
  first_watch: isWatched,
};

function roleOf(kind: Exclude<AnchorKind, 'none' | 'indicator'>, { statuses }: ProfileContext): RoleCode | null {
  if (kind === 'first_context') return statuses.find((one) => one.required && one.inContext)?.code ?? null;
  const isMeant = firstRoles[kind];
  if (!isMeant) return kind as RoleCode;
  return statuses.find(({ status }) => status && isMeant(status))?.code ?? null;
}

/**
 * The first weak gateway, since other sub-skills build on it; without one, the worst by concern order, even if adequate. An
 * indicator is taken only when nothing else of the role wants attention. Ties are broken by catalogue order.
 */
function anchorSkill(role: RoleCode, context: ProfileContext): DecidedSkill | undefined {
  const { domains = [] } = context.roles.byCode.get(role) ?? {};
  const own = context.decided.filter(({ subSkill }) => domains.includes(subSkill.domain));
  const others = own.filter(({ subSkill }) => !subSkill.accuracyIndicator);
  const eligible = others.some(({ status }) => wantsAttention(status)) ? others : own;
  const worst = concernOrder.find((status) => eligible.some((one) => one.status === status));
  return eligible.find(({ status }) => status === 'weak_gateway') ?? eligible.find(({ status }) => status === worst);
}

const anchored = (
  anchorRole: RoleCode | null,
  skill: DecidedSkill | undefined,
  { roles }: ProfileContext,
): ProfileAnchor =>
  skill === undefined
    ? { ...noAnchor, anchorRole }
    : {
        anchorRole,
        anchorSubSkillCode: skill.subSkill.code,
        anchorDomainCode: skill.subSkill.domain,
        anchorSkillGroup: roles.groupOf.get(skill.subSkill.code) ?? 'NONE',
        anchorStatus: skill.status,
      };
