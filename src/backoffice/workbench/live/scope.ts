// Reads what every question to the live index needs: the organizations of its scope, and the rules in force.
import { tablesOnFallback } from '#assessment/skill-status/index.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { Organization } from '#identity/people/index.ts';
import type { DocumentName, RuleBundle } from '#rules/rulesets/index.ts';
import type { ImpactScope } from '../impact/input.ts';
import { organizationOfScope } from '../impact/students.ts';
import type { LiveScope } from './question.ts';

export interface ScopeInForce {
  readonly scope: LiveScope;
  readonly rules: RuleBundle;
  /** A table of the pipeline is answered by the reference engine. */
  readonly isOnFallback: boolean;
}

/** The tables whose questions are known of each student. */
export const recordedTables: readonly DocumentName[] = [
  'cis/cis',
  'bnd/bnd',
  'pac/pac',
  'ssr/ssr',
  'ddr/ddr',
  'ddr-lc/ddr-lc',
  'dsm/dsm',
  'esc/esc',
];

/** Throws NOT_FOUND for an unknown scope, ENGINE_UNAVAILABLE without rules. */
export async function scopeInForce(
  services: Pick<Services, 'rules'>,
  trx: Trx,
  scope: ImpactScope,
  now: Date,
): Promise<ScopeInForce> {
  const organizationId = await organizationOfScope(trx, scope);
  const organizations = organizationId === null ? await everyOrganization(trx) : [organizationId];
  const { rules } = await services.rules.at(trx, now);
  const onFallback = await tablesOnFallback(trx);
  const isOnFallback = ['adr/adr' as const, ...recordedTables].some((name) =>
    onFallback.has(`${name}@${rules.versions[name]}`),
  );
  return { scope: { scope, organizations, before: rules.versions, now: now.toISOString() }, rules, isOnFallback };
}

/** Demos are left out. */
async function everyOrganization(trx: Trx): Promise<string[]> {
  const rows: { id: string }[] = await Organization.query(trx).where({ isDemo: false }).orderBy('id').select('id');
  return rows.map(({ id }) => id);
}
