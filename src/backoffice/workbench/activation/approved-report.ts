// A change comes into force on the rules that its approved report was about. Where other rules have come into force since, an
// approver has read a new report.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { Versions } from '#rules/rulesets/index.ts';
import { needsReport, reportsOf, sameEnginePins } from '../change-answers/reports.ts';
import { approvalsOf, type ChangeRow, documentsOf, findChange, isBinding } from '../changes/store.ts';

/** Whether no report that was approved, or that is quoted, is about the versions beneath. */
export async function isReportStale(
  services: Pick<Services, 'capabilities'>,
  trx: Trx,
  change: ChangeRow,
  beneath: Versions,
  quoted: string | null = null,
): Promise<boolean> {
  if (!needsReport(services, await documentsOf(trx, [change.id]))) return false;
  const approvals = (await approvalsOf(trx, [change.id])).filter((one) => isBinding(one, change));
  const hashes = new Set([quoted, ...approvals.map(({ reportHash }) => reportHash)]);
  const reports = (await reportsOf(trx, [change.id])).filter(({ reportHash }) => hashes.has(reportHash));
  return !reports.some(({ before }) => sameEnginePins(services, before, beneath));
}

/** The same of a plan of a change at its moment. */
export async function lacksReport(
  services: Pick<Services, 'capabilities'>,
  trx: Trx,
  { changeId, reportHash }: { readonly changeId: string | null; readonly reportHash: string | null },
  current: Versions,
): Promise<boolean> {
  const change = changeId === null ? undefined : await findChange(trx, changeId);
  return change !== undefined && isReportStale(services, trx, change, current, reportHash);
}
