// Loads everything that tiers, alerts and decisions depend on, for one or many students. The number of statements does not
// depend on the number of students, and nothing is written.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { type InterventionRules, interventionRules } from '../../interventions/index.ts';
import type { RtiRules } from '../engine/compiled.ts';
import type { RoleMeasurement } from '../engine/skills/progress.ts';
import { rtiRules } from '../rules/compiled.ts';
import { loadRtiParts, type RtiPartsQuestion, type StudentParts } from './parts.ts';
import { type RoleOf, roleMeasurements } from './roles.ts';
import { focusOf, measuredByStatus, type RtiSituation, situationOf } from './situation.ts';

export interface RtiSituations {
  /** By student id; living students of the organization only. */
  readonly situations: ReadonlyMap<number, RtiSituation>;
  readonly rules: RtiRules;
  readonly interventions: InterventionRules;
  readonly bundle: RuleBundle;
}

/** Throws ENGINE_UNAVAILABLE when a rule document is missing. */
export async function rtiSituationsOf(
  trx: Trx,
  services: Pick<Services, 'rules'>,
  of: RtiPartsQuestion,
): Promise<RtiSituations> {
  const { rules: bundle } = await services.rules.at(trx, of.now);
  const [rules, interventions] = [rtiRules(bundle), interventionRules(bundle)];
  const stored = await storedSituations(trx, services, of, { bundle, rules: interventions });
  const situations = stored.map(({ parts, history }) => {
    return [parts.enrollmentContext.studentId, situationOf(parts, history, rules, interventions)] as const;
  });
  return { situations: new Map(situations), rules, interventions, bundle };
}

export interface StoredSituation {
  readonly parts: StudentParts;
  /** Measurements of the role in focus. */
  readonly history: readonly RoleMeasurement[];
}

/** The stored input of all rules about these students. */
export async function storedSituations(
  trx: Trx,
  services: Pick<Services, 'rules'>,
  of: RtiPartsQuestion,
  inForce: { readonly bundle: RuleBundle; readonly rules: InterventionRules },
): Promise<StoredSituation[]> {
  const parts = await loadRtiParts(trx, services, of, inForce);
  const histories = await roleMeasurements(trx, of.organizationId, rolesOf(parts, inForce.rules));
  return parts.map((one) => ({ parts: one, history: histories.get(one.enrollmentContext.studentId) ?? [] }));
}

/** Roles in focus whose response is read from their statuses. */
function rolesOf(parts: readonly StudentParts[], rules: InterventionRules): RoleOf[] {
  return parts.flatMap((one) => {
    const role = focusOf(one, rules);
    const found = measuredByStatus(role) ? rules.profiles.roles.byCode.get(role) : undefined;
    if (!role || !found) return [];
    const subSkills = found.subSkills.map(({ code }) => code);
    return [{ studentId: one.enrollmentContext.studentId, role, domains: found.domains, subSkills }];
  });
}
