// Converts rows of evidence to their response: the domain comes from the catalogue, the role of a reading from its series.

import { probeRolesOf } from '#assessment/measurement/index.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { Catalogue } from '#rules/catalogue/index.ts';
import type { ActiveRules } from '#rules/rulesets/index.ts';
import { interventionRules } from '../../interventions/index.ts';
import type { EvidenceItem } from './types.ts';

export interface EvidenceRow extends Omit<EvidenceItem, 'valueCode'> {
  /** The key of the student. */
  readonly key: string;
  /** Null for a reading. */
  readonly valueCode: string | null;
}

export interface EvidenceContext {
  readonly trx: Trx;
  readonly rules: ActiveRules;
  readonly catalogue: Pick<Catalogue, 'byCode'>;
}

/** Reads the rules in force. Throws ENGINE_UNAVAILABLE. */
export async function readingAt({ rules }: Pick<Services, 'rules'>, trx: Trx, now: Date): Promise<EvidenceContext> {
  const { catalogue } = interventionRules((await rules.at(trx, now)).rules).profiles;
  return { trx, rules, catalogue };
}

export async function itemsOf(
  { trx, rules, catalogue }: EvidenceContext,
  organizationId: string,
  rows: readonly EvidenceRow[],
): Promise<EvidenceItem[]> {
  const probes = rows.flatMap(({ type, refId }) => (type === 'cbm_probe' ? [Number(refId)] : []));
  const roles = await probeRolesOf(trx, rules, organizationId, probes);
  return rows.map((row) => ({
    ...{ evidenceId: row.evidenceId, type: row.type, refId: row.refId, occurredAt: row.occurredAt },
    subSkillCode: row.subSkillCode,
    domainCode: row.domainCode ?? catalogue.byCode.get(row.subSkillCode ?? '')?.domain ?? null,
    measure: row.measure,
    valueCode: row.valueCode ?? roles.get(Number(row.refId)) ?? 'not_comparable',
    ruleVersion: row.ruleVersion,
    voidId: row.voidId,
  }));
}
