// The dictionary of reason codes in force, of one scope or of all.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { invalid } from '#core/platform/errors.ts';
import { interventionRules } from '../../interventions/index.ts';

const name = 'rti/reason-codes';

/** In the order of the document. Throws VALIDATION_ERROR for an unknown scope. */
export async function listReasonCodes(
  { rules }: Pick<Services, 'rules'>,
  trx: Trx,
  scope: string | undefined,
  now: Date,
) {
  const { rules: bundle } = await rules.at(trx, now);
  const { codes } = interventionRules(bundle).codes;
  const wanted = codes.filter((one) => scope === undefined || one.scope === scope);
  if (wanted.length === 0) throw invalid('scope', 'unknown_scope');
  return {
    items: wanted.map(({ code, scope: of, kind, labelAr, labelEn }) => ({ code, scope: of, kind, labelAr, labelEn })),
    ruleVersion: `${name}@${bundle.versions[name]}`,
  };
}
