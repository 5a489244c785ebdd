// The last check before an activation: whether a set of versions can be in force together.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import {
  BundleError,
  isTable,
  pipelineFindings,
  type RuleBundle,
  RuleVersion,
  type Versions,
} from '#rules/rulesets/index.ts';
import { readerFindings } from '../validation/engine/readers.ts';
import { ruleUse } from '../validation/rule-use.ts';

/**
 * Throws VALIDATION_ERROR for a version that is not published, CONFLICT `constants_disagree` when a constant would have
 * two values, CONFLICT `does_not_fit` when a layer would return outcomes that the next one cannot read.
 */
export async function requireFittingVersions(
  { rules, capabilities }: Services,
  trx: Trx,
  versions: Versions,
): Promise<void> {
  await requirePublished(trx, versions);
  const bundle = await together(rules.pinned(trx, versions));
  const { valueContracts, readers } = ruleUse(capabilities);
  const findings = [
    ...pipelineFindings(bundle.documents.filter(isTable), valueContracts),
    ...readerFindings(bundle, readers),
  ];
  if (findings.length === 0) return;
  throw new AppError('CONFLICT', 'These versions do not fit together; see details.', {
    details: findings.map(({ ruleIds, message }) => ({ field: ruleIds[0] ?? message, issue: 'does_not_fit' })),
  });
}

async function requirePublished(trx: Trx, versions: Versions): Promise<void> {
  const wanted = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
  const rows: { id: string }[] = await RuleVersion.query(trx).whereIn('id', wanted).select('id');
  const known = new Set(rows.map(({ id }) => id));
  const missing = wanted.filter((id) => !known.has(id));
  if (missing.length === 0) return;
  throw new AppError('VALIDATION_ERROR', 'A version is not published; see details.', {
    details: missing.map((id) => ({ field: `versions.${id.slice(0, id.indexOf('@'))}`, issue: 'is not published' })),
  });
}

async function together(bundle: Promise<RuleBundle>): Promise<RuleBundle> {
  try {
    return await bundle;
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    const message = `${error.message}. Activate the documents that quote it together, as one bundle.`;
    throw new AppError('CONFLICT', message, { details: [{ field: 'versions', issue: 'constants_disagree' }] });
  }
}
