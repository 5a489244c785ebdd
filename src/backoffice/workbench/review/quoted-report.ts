// An approval of rules that decide about students quotes the impact report. The report must be about every student, about this
// text, and about the rules that are in force now.
import { RuleJob } from '#core/long-jobs/index.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict, invalid } from '#core/platform/errors.ts';
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import type { CompanionName } from '../companions.ts';
import { type DraftRow, RuleDraft } from '../drafts/store.ts';
import { isSimulated } from '../impact/simulated-documents.ts';
import { readReportLife } from './report-age.ts';

/** There is no report of a document that cannot be simulated. */
export const needsReport = (services: Services, { family, key }: Pick<DraftRow, 'family' | 'key'>): boolean =>
  isSimulated(services, `${family}/${key}`) &&
  services.capabilities.some(({ ruleFamilies = [] }) =>
    ruleFamilies.some((one) => one.family === family && one.needsImpact),
  );

const wholePlatform = canonicalJson({ platform: true });

interface QuotedReport {
  readonly scope: object;
  /** ISO 8601: the instant whose results were simulated. */
  readonly asOf: string;
  readonly sha256: string;
  readonly before: Readonly<Record<string, number>>;
  readonly companions: readonly CompanionName[];
}

interface QuotedJob {
  readonly report: QuotedReport;
  readonly createdAt: string;
}

/**
 * Throws VALIDATION_ERROR when a report is needed and none is quoted, CONFLICT `report_unknown` for a hash that no
 * finished impact job of the draft has, CONFLICT `report_scope` for a report of less than the whole platform, CONFLICT
 * `report_stale` when the text (its number is the base's next), the companions or the rules in force have changed since,
 * when it is as of another instant than that of its request, and when it is too old.
 */
export async function requireReport(
  services: Services,
  trx: Trx,
  draft: DraftRow,
  reportHash: string | undefined,
  active: RuleBundle,
  now: Date,
): Promise<void> {
  if (reportHash === undefined) {
    if (!needsReport(services, draft)) return;
    throw invalid(
      'reportHash',
      'is required: simulate the impact of the draft and quote the report that you have read',
    );
  }
  const row = await RuleJob.query(trx)
    .where({ kind: 'impact', subject: draft.id, state: 'done', reportHash })
    .orderBy('createdAt', 'desc')
    .select('report', 'createdAt')
    .first()
    .castTo<QuotedJob | undefined>();
  if (!row) throw conflict('report_unknown', 'No impact simulation of this draft has that report.', 'reportHash');
  const { report } = row;
  if (canonicalJson(report.scope) !== wholePlatform) {
    throw conflict(
      'report_scope',
      'The report is not about the whole platform. Simulate it on all of it.',
      'reportHash',
    );
  }
  requireOfToday(row, readReportLife(active), now);
  const sameRules = report.sha256 === draft.sha256 && canonicalJson(report.before) === canonicalJson(active.versions);
  if (sameRules && (await areUnchanged(trx, report.companions))) return;
  throw conflict('report_stale', 'The text or the rules in force have changed since. Simulate again.', 'reportHash');
}

/** A report as of another instant cannot be quoted, because there may have been no results then. */
function requireOfToday({ report, createdAt }: QuotedJob, lifeMs: number, now: Date): void {
  const askedAt = new Date(createdAt).getTime();
  if (Date.parse(report.asOf) === askedAt && now.getTime() - askedAt <= lifeMs) return;
  throw conflict(
    'report_stale',
    'The report is of another day, or too old. Simulate again, without asOf.',
    'reportHash',
  );
}

/** Companions must not have changed since the simulation; published versions never do. */
async function areUnchanged(trx: Trx, companions: readonly CompanionName[]): Promise<boolean> {
  const drafts = companions.flatMap(({ draftId, sha256 }) => (draftId === undefined ? [] : [{ draftId, sha256 }]));
  const rows: { id: string; sha256: string }[] = await RuleDraft.query(trx)
    .whereIn(
      'id',
      drafts.map(({ draftId }) => draftId),
    )
    .whereNotIn('state', ['rejected', 'withdrawn'])
    .select('id', 'sha256');
  const now = new Map(rows.map(({ id, sha256 }) => [id, sha256]));
  return drafts.every(({ draftId, sha256 }) => now.get(draftId) === sha256);
}
