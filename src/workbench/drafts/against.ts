// The version that a draft is compared with.

import type { Services } from '../../kernel/services.ts';
import type { Trx } from '../../platform/db.ts';
import { invalid } from '../../platform/errors.ts';
import type { RuleDocument } from '../../rulesets/index.ts';
import { documentOf, findVersion } from '../published/store.ts';
import type { DraftRow } from './store.ts';

/** `against`: a number, `active`, or undefined for the base. Throws VALIDATION_ERROR for a version that is not there. */
export async function againstOf(
  { rules }: Pick<Services, 'rules'>,
  trx: Trx,
  draft: DraftRow,
  against: string | undefined,
  now: Date,
): Promise<RuleDocument> {
  const { family, key, baseVersion } = draft;
  const active = async () => (await rules.at(trx, now)).rules.versions[`${family}/${key}`];
  const version = against === 'active' ? await active() : Number(against ?? baseVersion);
  const row = await findVersion(trx, family, key, version ?? 0);
  if (!row) throw invalid('against', 'is not a published version');
  return documentOf(row);
}
