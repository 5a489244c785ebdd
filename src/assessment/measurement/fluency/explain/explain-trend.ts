// Explains the trend of a stored row.

import type { Services } from '#core/module/services.ts';
import type { ReadTransaction } from '#core/platform/db.ts';
import { rowIdIn } from '#core/platform/ids.ts';
import { inAnyOrganization } from '#core/platform/statements/any-organization.ts';
import { reasonOf, sentencesInForce } from '#rules/catalogue/index.ts';
import { decisionOf } from '#rules/rulesets/index.ts';
import { factCategories } from '../engine/fact-categories.ts';
import { CbmTrend } from '../store.ts';
import { isSame, probeNodes, replayTrend } from './replay-trend.ts';
import { ExplainedTrend } from './schemas.ts';

export const trendExplainer = {
  kinds: ['trend'],
  view: ExplainedTrend,
  /** Explains `trend:<id>`. Returns undefined for an id that is malformed or not visible. */
  async explain(
    reading: ReadTransaction,
    services: Pick<Services, 'db' | 'rules' | 'clock'>,
    _kind: string,
    id: string,
  ): Promise<ExplainedTrend | undefined> {
    const number = rowIdIn(id);
    return number === undefined ? undefined : explainTrend(reading, services, number);
  },
};

/** Uses the stamped rules only. Throws ENGINE_UNAVAILABLE when a stamped document cannot be read. */
async function explainTrend(
  reading: ReadTransaction,
  { db, rules, clock }: Pick<Services, 'db' | 'rules' | 'clock'>,
  id: number,
): Promise<ExplainedTrend | undefined> {
  const row = await reading(async (trx) => CbmTrend.query(trx).modify(inAnyOrganization).findOne({ id }));
  if (!row) return undefined;
  const { organizationId, studentId, ruleVersions, evaluatedAt } = row;
  const bundle = await rules.pinned(db, ruleVersions);
  const again = replayTrend(row, bundle);
  const decisions = again.calls.map((call) => decisionOf(call, row.formFamily));
  return {
    stampId: `trend:${id}`,
    kind: 'trend',
    organizationId,
    studentId,
    asOf: evaluatedAt,
    ruleVersions,
    result: resultOf(row),
    decisions,
    matchesStored: isSame(row, again, bundle),
    ...reasonOf(await sentencesInForce(reading, { rules, clock }), 'CBM', decisions, factCategories),
    from: probeNodes(row, again),
  };
}

const resultOf = (row: CbmTrend): ExplainedTrend['result'] => ({
  measureCode: row.measureCode,
  formFamily: row.formFamily,
  schoolYear: row.schoolYear,
  asOf: row.asOf,
  probeId: row.probeId,
  trendType: row.trendType,
  ruleId: row.ruleId,
  slopePerWeek: row.slope,
  aimSlopePerWeek: row.aimSlope,
  slopeError: row.slopeError,
  decisionWeek: row.decisionWeek,
  benchmark: row.input.benchmark,
});
