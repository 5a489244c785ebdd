// The facts of PRF and PMD, derived from the results of a run.

import { type CompPattern, isHalted, isWeak, type SkillStatus } from '#assessment/skill-status/engine/index.ts';
import type { Catalogue, Roles, SubSkill } from '#rules/catalogue/engine/index.ts';
import { isCautious, isStrong, isWatched, type RoleCode, roleCodes } from '../vocabulary.ts';
import { type RoleStatus, roleStatuses } from './role-status.ts';
import type { ProfileRun, RunSubSkill } from './run.ts';

export interface ProfileContext {
  readonly grade: number;
  readonly run: ProfileRun;
  readonly catalogue: Catalogue;
  readonly roles: Roles;
  /** In role order. */
  readonly statuses: readonly RoleStatus[];
  /** In-scope sub-skills with a status, in catalogue order. */
  readonly decided: readonly DecidedSkill[];
}

export interface DecidedSkill {
  readonly subSkill: SubSkill;
  readonly status: SkillStatus;
}

export const profileContext = (grade: number, run: ProfileRun, catalogue: Catalogue, roles: Roles): ProfileContext => ({
  ...{ grade, run, catalogue, roles },
  statuses: roleStatuses(roles, grade, run),
  decided: catalogue.subSkills.flatMap((subSkill) => {
    const found = run.subSkills[subSkill.code];
    return found?.outcome === 'decided' && found.status ? [{ subSkill, status: found.status }] : [];
  }),
});

/** Whether some sub-skill has too few or conflicting answers; all consumers use this guard. */
const isHaltedRun = ({ subSkills }: ProfileRun): boolean =>
  isHalted(
    Object.values(subSkills).map(({ outcome, reason }: RunSubSkill) => ({
      pacReason: outcome === 'do_not_decide_yet' ? reason : null,
    })),
  );

/** The facts are in the order of the table. */
export function profileFacts(context: ProfileContext) {
  const { run, statuses } = context;
  const statusOf = new Map(statuses.map(({ code, status }) => [code, status]));
  const having = (test: (status: SkillStatus) => boolean) => statuses.filter(({ status }) => status && test(status));
  const required = statuses.filter((role) => role.required);
  const strong = (code: RoleCode) => isStrongStatus(statusOf.get(code));
  return {
    dndy: isHaltedRun(run),
    requiredMissing: required.some(({ status }) => status === null),
    requiredContext: required.some(({ inContext }) => inContext),
    compWeak: isWeakStatus(statusOf.get('COMP')),
    pattern: run.comprehension.pattern ?? 'none',
    bottleneckRole: bottleneckRole(run.comprehension.pattern, statusOf),
    indicatorOnly: isIndicatorOnly(context),
    broadCount: having((status) => status === 'broad_weakness_related').length,
    strongCount: having(isStrong).length,
    ...strongFacts(strong),
    anyWeakIsolated: having((status) => status === 'weak_isolated').length > 0,
    anyCaution: having(isCautious).length > 0,
    anyWatch: having(isWatched).length > 0,
  };
}
export type ProfileFacts = ReturnType<typeof profileFacts>;

const strongFacts = (strong: (code: RoleCode) => boolean) =>
  Object.fromEntries(roleCodes.map((code) => [`strong${code}`, strong(code)])) as Record<`strong${RoleCode}`, boolean>;

type MaybeStatus = SkillStatus | null | undefined;
const isWeakStatus = (status: MaybeStatus): boolean => Boolean(status && isWeak(status));
const isStrongStatus = (status: MaybeStatus): boolean => Boolean(status && isStrong(status));

/** The role that the comprehension pattern names as the cause, if any. */
function bottleneckRole(pattern: CompPattern | null, statusOf: ReadonlyMap<RoleCode, SkillStatus | null>) {
  if (pattern !== 'decoding_bottleneck' && pattern !== 'combined_dual_bottleneck') return 'none';
  if (isWeakStatus(statusOf.get('DECODE'))) return 'DECODE';
  return isWeakStatus(statusOf.get('LETTER')) ? 'LETTER' : 'FLUENCY';
}

/** Whether a status is weak, watched or cautious. */
export const wantsAttention = (status: SkillStatus): boolean =>
  isWeak(status) || isWatched(status) || isCautious(status);

function isIndicatorOnly(context: ProfileContext): boolean {
  const others = context.decided.filter(({ subSkill }) => !subSkill.accuracyIndicator);
  return weakIndicators(context).length > 0 && !others.some(({ status }) => wantsAttention(status));
}

/** In catalogue order. */
export const weakIndicators = (context: ProfileContext) =>
  context.decided.filter(({ subSkill, status }) => subSkill.accuracyIndicator && isWeak(status));

/** The facts are in the order of the table. */
export const modifierFacts = (context: ProfileContext, profileCode: string, { anyCaution }: ProfileFacts) => ({
  profileCode,
  indicatorWeak: weakIndicators(context).length > 0,
  anyCaution,
  optionalMissing: context.statuses.some((role) => !role.required && role.inScope && role.status === null),
  severeTile: Object.values(context.run.tiles).includes('Severe'),
  contextFlag: context.run.contextReview,
});
export type ModifierFacts = ReturnType<typeof modifierFacts>;
