// Finds the version that a draft is compared with.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { invalid } from '#core/platform/errors.ts';
import type { RuleDocument } from '#rules/rulesets/index.ts';
import { findVersion, versionDocumentOf } from '../published/store.ts';
import type { DraftRow } from './store.ts';

/**
 * `against`: a number, `base` or `active`; undefined for the version in force or, where there is none, for the base. After a
 * rollback the base is not in force. Throws VALIDATION_ERROR for a version that does not exist.
 */
export async function againstOf(
  { rules }: Pick<Services, 'rules'>,
  trx: Trx,
  draft: DraftRow,
  against: string | undefined,
  now: Date,
): Promise<RuleDocument> {
  const { family, key, baseVersion } = draft;
  const active = (await rules.at(trx, now)).rules.versions[`${family}/${key}`];
  const named = { active: active ?? 0, base: baseVersion };
  const asked = against ?? (active === undefined ? 'base' : 'active');
  const version = asked === 'active' || asked === 'base' ? named[asked] : Number(asked);
  const row = await findVersion(trx, family, key, version);
  if (!row) throw invalid('against', 'is not a published version');
  return versionDocumentOf(row);
}
