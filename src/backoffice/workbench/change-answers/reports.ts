// The impact reports of changes: which is the newest, and whether it is about the texts and rules of now.
import { RuleJob } from '#core/long-jobs/index.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import type { RuleBundle, Versions } from '#rules/rulesets/index.ts';
import { type ChangeDocument, type ChangeRow, nameOfDocument } from '../changes/store.ts';
import { isSimulated } from '../impact/simulated-documents.ts';
import { readReportLife } from './report-age.ts';

export interface ReportHead {
  readonly jobId: string;
  readonly changeId: string;
  readonly reportHash: string;
  readonly createdAt: string;
  readonly changeSha256: string;
  /** Whether it covers every organization but demos. */
  readonly isWhole: boolean;
  /** ISO 8601: the instant whose results were simulated. */
  readonly asOf: string;
  /** The versions that were in force. */
  readonly before: Versions;
}

/** Returns the finished reports of the changes, newest first; with `reportHash` only those. */
export async function reportsOf(
  trx: Trx,
  changeIds: readonly string[],
  reportHash?: string,
): Promise<readonly ReportHead[]> {
  if (changeIds.length === 0) return [];
  const query = RuleJob.query(trx)
    .where({ kind: 'impact', state: 'done' })
    .whereIn('subject', [...changeIds])
    .orderBy('createdAt', 'desc')
    .select(
      'id as jobId',
      'subject as changeId',
      'reportHash',
      'createdAt',
      trx.raw(`report -> 'changeSha256' as change_sha256, report -> 'before' as before, report -> 'asOf' as as_of,
        report -> 'scope' = '{"platform": true}' as is_whole`),
    );
  if (reportHash !== undefined) query.where({ reportHash });
  return query.castTo<ReportHead[]>().execute();
}

/** The pins that a simulation depends on. */
const enginePins = (services: Pick<Services, 'capabilities'>, versions: Versions): Versions =>
  Object.fromEntries(Object.entries(versions).filter(([name]) => isSimulated(services, name)));

export const sameEnginePins = (services: Pick<Services, 'capabilities'>, one: Versions, other: Versions): boolean =>
  canonicalJson(enginePins(services, one)) === canonicalJson(enginePins(services, other));

/** A report as of another instant than that of its request is to look at only, because there may have been no results then. */
const isOfItsDay = ({ asOf, createdAt }: Pick<ReportHead, 'asOf' | 'createdAt'>): boolean =>
  Date.parse(asOf) === new Date(createdAt).getTime();

/** Whether the report is about these texts and the rules in force, and not too old. */
export const isFresh = (
  services: Pick<Services, 'capabilities'>,
  report: ReportHead,
  { sha256 }: Pick<ChangeRow, 'sha256'>,
  active: RuleBundle,
  now: Date,
): boolean =>
  isOfItsDay(report) &&
  now.getTime() - new Date(report.createdAt).getTime() <= readReportLife(active) &&
  report.changeSha256 === sha256 &&
  sameEnginePins(services, report.before, active.versions);

/** Whether an approval quotes a report: one of the documents can be simulated. */
export const needsReport = (
  services: Pick<Services, 'capabilities'>,
  documents: readonly Pick<ChangeDocument, 'family' | 'key'>[],
): boolean => documents.some((one) => isSimulated(services, nameOfDocument(one)));
