// The sub-skills that a bundle works on and by which its goals are evaluated.
import type { Catalogue, Roles, SubSkill } from '#rules/catalogue/engine/index.ts';
import type { RoleCode } from '../vocabulary.ts';
import type { InterventionBundle } from './catalogue.ts';

/**
 * The item-measured sub-skills of its roles at the grade, in catalogue order; for a role without any, those of the nearest
 * lower grade that has some. A light action is about `anchorRole`, a bundle without roles about the accuracy indicators.
 */
export function targetSubSkills(
  { roles, objectType }: InterventionBundle,
  grade: number,
  anchorRole: RoleCode | null,
  { catalogue, roles: bound }: { readonly catalogue: Catalogue; readonly roles: Roles },
): readonly SubSkill[] {
  const isLight = objectType === 'LIGHT_SUPPORT_ACTION' && roles.length === 0;
  const meant = isLight ? (anchorRole === null ? [] : [anchorRole]) : roles;
  const parts = meant.map((role) => bound.byCode.get(role)?.subSkills ?? []);
  const indicators = catalogue.subSkills.filter(({ accuracyIndicator }) => accuracyIndicator);
  const found = (roles.length === 0 && !isLight ? [indicators] : parts).flatMap((part) => atOrBelow(part, grade));
  return catalogue.subSkills.filter((one) => found.includes(one));
}

function atOrBelow(subSkills: readonly SubSkill[], grade: number): readonly SubSkill[] {
  for (let at = grade; at >= 1; at -= 1) {
    const found = subSkills.filter(({ grades, measuredByOrf }) => grades.includes(at) && !measuredByOrf);
    if (found.length > 0) return found;
  }
  return [];
}
