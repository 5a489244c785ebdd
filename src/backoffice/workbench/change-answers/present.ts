// Presents changes and their documents. Of a change in review only the approvals of accounts that may still approve are shown.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { grouped } from '#core/platform/pure/lists/grouped.ts';
import { approversAmong } from '#identity/people/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { proposedCases } from '../changes/accept-cases.ts';
import { baseIdOf, type Pins, versionTexts } from '../changes/bases.ts';
import { groupedConstants } from '../changes/diff.ts';
import { etagOfChange, etagOfDocument } from '../changes/etags.ts';
import { activationsOf, type ChangeActivation } from '../changes/in-force.ts';
import {
  approvalsOf,
  type ChangeApproval,
  type ChangeDocument,
  type ChangeRow,
  caseListOf,
  changeDocumentOf,
  defaultQuorum,
  documentsOf,
  isBinding,
  nameOfDocument,
  publishedVersionOf,
} from '../changes/store.ts';
import { casesOf } from '../published/store.ts';
import { isFresh, needsReport, type ReportHead, reportsOf } from './reports.ts';

/** What a presentation reads beside the changes. */
export interface ChangeReader {
  readonly services: Pick<Services, 'config' | 'rules' | 'capabilities'>;
  readonly trx: Trx;
  readonly now: Date;
}

export type PresentedChange = ReturnType<typeof presentChange>;

/** Reads all documents, approvals, reports and activations with one query each, and the rules in force. */
export async function presentChanges(reader: ChangeReader, rows: readonly ChangeRow[]): Promise<PresentedChange[]> {
  const { services, trx, now } = reader;
  const ids = rows.map(({ id }) => id);
  const documents = grouped(await documentsOf(trx, ids), ({ changeId }) => changeId);
  const approvals = await approvalsOf(trx, ids);
  const able = await approversAmong(
    services.config,
    trx,
    approvals.map(({ userId }) => userId),
  );
  const active = (await services.rules.at(trx, now)).rules;
  const reports = await reportsOf(trx, ids);
  const published = rows.filter(({ state }) => state === 'published');
  const activations = await activationsOf(
    trx,
    published.map(({ id }) => ({ id, documents: documents.get(id) ?? [] })),
    active.versions,
    now,
  );
  return rows.map((row) => {
    const own = { row, documents: documents.get(row.id) ?? [] };
    const isCounted = (one: ChangeApproval) =>
      isBinding(one, row) && (row.state !== 'in_review' || able.has(one.userId));
    return presentChange(own, {
      pins: active.versions,
      approvals: approvals.filter(isCounted),
      report: reportOf(reader, own.row, reports, active),
      reportRequired: needsReport(services, own.documents),
      activation: activations.get(row.id) ?? null,
    });
  });
}

export async function presentOne(reader: ChangeReader, row: ChangeRow): Promise<PresentedChange> {
  const [change] = await presentChanges(reader, [row]);
  if (!change) throw notFound();
  return change;
}

/** A fresh report of the whole platform before the newest of it. */
function reportOf({ services, now }: ChangeReader, row: ChangeRow, reports: readonly ReportHead[], active: RuleBundle) {
  const own = reports
    .filter(({ changeId, isWhole }) => changeId === row.id && isWhole)
    .map(({ jobId, reportHash, ...head }) => {
      return { jobId, reportHash, fresh: isFresh(services, { jobId, reportHash, ...head }, row, active, now) };
    });
  return own.find(({ fresh }) => fresh) ?? own[0] ?? null;
}

interface ChangeWithDocuments {
  readonly row: ChangeRow;
  readonly documents: readonly ChangeDocument[];
}

interface Around {
  readonly pins: Pins;
  readonly approvals: readonly ChangeApproval[];
  readonly report: ReturnType<typeof reportOf>;
  readonly reportRequired: boolean;
  readonly activation: ChangeActivation | null;
}

const presentChange = ({ row, documents }: ChangeWithDocuments, around: Around) => ({
  changeId: row.id,
  title: row.title,
  why: row.why,
  state: row.state,
  sha256: row.sha256,
  etag: etagOfChange(row),
  level: row.level,
  documents: documents.map((one) => presentHead(row, one, around.pins)),
  constants: groupedConstants(
    documents.flatMap((one) => one.constants.map((constant) => ({ document: nameOfDocument(one), ...constant }))),
  ),
  findings: row.findings && [...row.findings],
  quorum: row.quorum ?? defaultQuorum,
  submission: row.submission,
  requestedReviewers: [...row.requestedReviewers],
  approvals: around.approvals.map(({ userId, sha256, reportHash, at }) => ({ userId, sha256, reportHash, at })),
  report: around.report,
  reportRequired: around.reportRequired,
  declineReason: row.declineReason,
  activation: around.activation,
  authorUserId: row.authorUserId,
  editorUserIds: [...row.editorUserIds],
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});

function presentHead(change: ChangeRow, document: ChangeDocument, pins: Pins) {
  const { family, key, baseVersion, sha256, casesSha256, level, mutationScore } = document;
  const findings = change.findings?.filter((one) => nameOfDocument(one) === nameOfDocument(document));
  const countOf = (wanted: string) => findings?.filter((one) => one.level === wanted).length ?? null;
  const inForce = pins[nameOfDocument(document)];
  return {
    family,
    key,
    baseVersion,
    baseInForce: baseVersion === 0 || inForce === baseVersion,
    sha256,
    casesSha256,
    level,
    mutationScore,
    errors: countOf('error'),
    warnings: countOf('warning'),
    publishedVersion: publishedVersionOf(change, document),
  };
}

/** A document of a change with its text and that of its base. */
export async function presentDocument(trx: Trx, change: ChangeRow, document: ChangeDocument) {
  const { family, key, baseVersion, sha256, casesSha256, mutationScore } = document;
  const name = nameOfDocument(document);
  const base = (await versionTexts(trx, [baseIdOf(document)])).get(baseIdOf(document));
  const findings = change.findings?.filter((one) => nameOfDocument(one) === name);
  return {
    family,
    key,
    baseVersion,
    base: base ? { document: changeDocumentOf(base), cases: [...casesOf(base)] } : null,
    document: changeDocumentOf(document),
    cases: [...caseListOf(document)],
    sha256,
    casesSha256,
    etag: etagOfDocument(document),
    findings: findings ?? null,
    proposedCases: [...proposedCases(change, name)],
    mutationScore,
  };
}
