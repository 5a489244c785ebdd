// Publishes texts as versions, frozen with their cases, their author and the people who approved them.
import type { Trx } from '#core/platform/db.ts';
import { lockRows } from '#core/platform/locks.ts';
import { canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { type AnyCase, RuleVersion } from '#rules/rulesets/index.ts';
import type { CheckResult } from '../changes/prepare-check.ts';
import {
  type ChangeApproval,
  type ChangeDocument,
  type ChangeRow,
  nameOfDocument,
  RuleChange,
  updateChange,
} from '../changes/store.ts';

interface NewVersion
  extends Pick<ChangeDocument, 'family' | 'key' | 'version' | 'document' | 'sha256' | 'level'>,
    Partial<Pick<ChangeDocument, 'origin'>> {
  readonly authorUserId: number;
  readonly editorUserIds: readonly number[];
  readonly approvedBy: readonly number[];
}

/** The database refuses a version without the required approvals. */
export async function insertVersion(
  trx: Trx,
  { family, key, version, document, sha256, level, origin = null, ...people }: NewVersion,
  cases: readonly AnyCase[],
  now: Date,
): Promise<void> {
  const casesText = cases.length === 0 ? null : canonicalJson({ cases });
  const { authorUserId, editorUserIds, approvedBy } = people;
  await RuleVersion.query(trx).insert({
    ...{ family, key, version, document, sha256, level, origin, authorUserId },
    cases: casesText,
    goldenSha256: casesText === null ? null : sha256Hex(casesText),
    editorUserIds: [...editorUserIds],
    approvedBy: [...approvedBy],
    publishedAt: now.toISOString(),
  });
}

/** Publishes all documents of the change, and suspends the changes in review that have one of them. The caller holds their locks. */
export async function publishChange(
  trx: Trx,
  change: ChangeRow,
  documents: readonly ChangeDocument[],
  result: CheckResult,
  approvals: readonly ChangeApproval[],
  now: Date,
): Promise<ChangeRow> {
  const people = {
    authorUserId: change.authorUserId,
    editorUserIds: change.editorUserIds,
    approvedBy: approvals.map(({ userId }) => userId),
  };
  const checked = new Map(result.documents.map((one) => [one.name, one]));
  for (const document of documents) {
    const { cases = [], level = document.level } = checked.get(nameOfDocument(document)) ?? {};
    await insertVersion(trx, { ...document, ...people, level }, cases, now);
  }
  const published = await updateChange(trx, change.id, { state: 'published' }, now);
  await suspendReviews(trx, documents, now);
  return published;
}

interface DocumentPlace {
  readonly family: string;
  readonly key: string;
}

const withDocument = `state = 'in_review' and exists (select from rule_change_document d
  where d.change_id = rule_change.id and d.family || '/' || d.key = any (?::text[]))`;

/** Locks the change and, with it, all changes in review that have one of its documents, in the order of their ids. */
export async function lockWithReviews(trx: Trx, id: string): Promise<ChangeRow | undefined> {
  const rows: ChangeRow[] = await lockRows(
    'ruleChange',
    'change',
    RuleChange.query(trx)
      .where({ id })
      .orWhereRaw(
        `state = 'in_review' and exists (select from rule_change_document own
           join rule_change_document d on d.change_id = rule_change.id and (d.family, d.key) = (own.family, own.key)
           where own.change_id = ?)`,
        [id],
      )
      .orderBy('id'),
  );
  return rows.find((row) => row.id === id);
}

/** Suspends the changes in review that have one of these documents: their bases have moved. */
export async function suspendReviews(trx: Trx, documents: readonly DocumentPlace[], now: Date): Promise<void> {
  const names = documents.map(nameOfDocument);
  const ids: { id: string }[] = await lockRows(
    'ruleChange',
    'change',
    RuleChange.query(trx).whereRaw(withDocument, [names]).orderBy('id').select('id'),
  );
  await RuleChange.query(trx)
    .whereIn(
      'id',
      ids.map(({ id }) => id),
    )
    .update({ state: 'suspended', updatedAt: now.toISOString() });
}
