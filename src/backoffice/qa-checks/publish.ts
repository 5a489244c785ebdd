// Publishes a version of the checks: one call validates it, publishes it and puts it in force (contract 80 §2).
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { AppError, notFound } from '#core/platform/errors.ts';
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import { catalogueOf, fixedOf, type ProbeCatalogue } from '#messaging/qa/index.ts';
import { type RuleDocument, RuleVersion } from '#rules/rulesets/index.ts';
import { lookUpRuleSet, proposalValidation, publishDirectly, type RuleSet, requireChange } from '../workbench/index.ts';
import type { ChecksBody } from './schemas.ts';

const documentPath = { family: 'qa', key: 'checks' } as const;

export interface PreparedChecks {
  readonly set: RuleSet;
  readonly document: object;
  readonly validation: Awaited<ReturnType<Awaited<ReturnType<typeof proposalValidation>>>>;
}

/** Throws VALIDATION_ERROR, CONFLICT `base_moved` and `no_change`. The returned step runs while no transaction is open. */
export async function prepareChecks(
  services: Services,
  trx: Trx,
  { baseVersion, checks }: ChecksBody,
  now: Date,
): Promise<() => Promise<PreparedChecks>> {
  const catalogue = catalogueOf(services.capabilities);
  requireShipped(checks, catalogue);
  const set = await lookUpRuleSet(trx, documentPath.family, documentPath.key);
  if (!set || set.newestVersion === 0) throw notFound();
  const base = await RuleVersion.query(trx)
    .where({ ...documentPath, version: set.newestVersion })
    .select('document')
    .first()
    .throwIfNotFound();
  const { meta } = JSON.parse(base.document) as RuleDocument;
  const document = {
    meta: { ...meta, version: set.newestVersion + 1 },
    checks: checks.map((check) => wholeCheck(check, catalogue)),
  };
  const proposal = { baseVersion, document, cases: [] };
  const validation = await proposalValidation(services, trx, set, proposal, now);
  requireChange(base.document, canonicalJson(document));
  return async () => ({ set, document, validation: await validation() });
}

type ChangedCheck = ChecksBody['checks'][number];

function wholeCheck({ qaCheckId, titleEn, severity, threshold, enabled }: ChangedCheck, catalogue: ProbeCatalogue) {
  const known = catalogue.get(qaCheckId);
  return { qaCheckId, titleEn, severity, ...(known && fixedOf(known)), threshold, enabled };
}

/** Requires each shipped check once and no other, with changes to nothing but the fields that may be set. */
function requireShipped(checks: readonly ChangedCheck[], catalogue: ProbeCatalogue): void {
  const ids = checks.map(({ qaCheckId }) => qaCheckId);
  const details = [
    ...[...catalogue.keys()].filter((id) => !ids.includes(id)).map((id) => ({ field: 'checks', issue: `lacks ${id}` })),
    ...checks.flatMap((check, at) => {
      const issue = faultOf(check, ids.indexOf(check.qaCheckId) < at, catalogue);
      return issue === undefined ? [] : [{ field: `checks.${at}.${issue.field}`, issue: issue.issue }];
    }),
  ];
  if (details.length > 0)
    throw new AppError('VALIDATION_ERROR', 'The checks are not those that are shipped; see details.', { details });
}

function faultOf(check: ChangedCheck, isRepeated: boolean, catalogue: ProbeCatalogue) {
  const known = catalogue.get(check.qaCheckId);
  if (!known) return { field: 'qaCheckId', issue: 'is not known' };
  if (isRepeated) return { field: 'qaCheckId', issue: 'is there twice' };
  const fixed = fixedOf(known);
  for (const field of ['kind', 'subject', 'probe'] as const) {
    if (check[field] !== undefined && check[field] !== fixed[field]) return { field, issue: 'is fixed' };
  }
  return undefined;
}

/** Throws CONFLICT when another version was published meanwhile. */
export async function publishChecks(services: Services, trx: Trx, prepared: PreparedChecks, userId: number) {
  const { set, document, validation } = prepared;
  const { id, version, sha256 } = await publishDirectly(services, trx, set, document, validation, userId);
  return { ruleVersion: id, version, sha256 };
}
