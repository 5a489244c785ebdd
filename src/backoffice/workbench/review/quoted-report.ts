// An approval of rules that decide about students quotes the impact report. The report must be about every student, about these
// texts, and about the rules that are in force now.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict, invalid } from '#core/platform/errors.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { isFresh, type ReportHead, reportsOf } from '../change-answers/reports.ts';
import type { ChangeRow } from '../changes/store.ts';

/** Throws VALIDATION_ERROR when a report is needed and none is quoted. */
export function requireQuoted(isNeeded: boolean, reportHash: string | undefined): void {
  if (reportHash !== undefined || !isNeeded) return;
  throw invalid('reportHash', 'is required: simulate the impact of the change and quote the report that you have read');
}

/**
 * Throws CONFLICT `report_unknown` for a hash that no finished impact of the change has, `report_stale` when the texts or the rules
 * in force have changed since, when it is as of another instant than that of its request, and when it is too old, `report_scope` for
 * a report of less than the whole platform.
 */
export async function requireReport(
  services: Pick<Services, 'capabilities'>,
  trx: Trx,
  change: ChangeRow,
  reportHash: string,
  active: RuleBundle,
  now: Date,
): Promise<ReportHead> {
  const [report] = await reportsOf(trx, [change.id], reportHash);
  if (!report) throw conflict('report_unknown', 'No impact of this change has that report.', 'reportHash');
  if (!isFresh(services, report, change, active, now)) throw staleReport();
  if (report.isWhole) return report;
  throw conflict('report_scope', 'The report is not about the whole platform. Simulate it on all of it.', 'reportHash');
}

export const staleReport = () =>
  conflict(
    'report_stale',
    'The texts or the rules in force have changed since, or the report is of another day or too old. Simulate again, without asOf.',
    'reportHash',
  );
