// Publishes a draft as a version, frozen with its cases, its author and the people who approved it.
import type { Trx } from '#core/platform/db.ts';
import { canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { type AnyCase, RuleVersion } from '#rules/rulesets/index.ts';
import { type ApprovalRow, type DraftRow, RuleDraft, updateDraft } from '../drafts/store.ts';

interface NewVersion
  extends Pick<DraftRow, 'family' | 'key' | 'baseVersion' | 'document' | 'sha256' | 'level'>,
    Partial<Pick<DraftRow, 'origin'>> {
  readonly authorUserId: number;
  readonly editorUserIds: readonly number[];
  readonly approvedBy: readonly number[];
}

/** Publishes the version after the draft's base. The database refuses one without the required approvals. */
export async function insertVersion(
  trx: Trx,
  {
    family,
    key,
    baseVersion,
    document,
    sha256,
    level,
    origin = null,
    authorUserId,
    editorUserIds,
    approvedBy,
  }: NewVersion,
  cases: readonly AnyCase[],
  now: Date,
): Promise<void> {
  const casesText = cases.length === 0 ? null : canonicalJson({ cases });
  await RuleVersion.query(trx).insert({
    family,
    key,
    version: baseVersion + 1,
    document,
    sha256,
    cases: casesText,
    goldenSha256: casesText === null ? null : sha256Hex(casesText),
    level,
    origin,
    authorUserId,
    editorUserIds: [...editorUserIds],
    approvedBy: [...approvedBy],
    publishedAt: now.toISOString(),
  });
}

/** Suspends other drafts in review on the same base, which is no longer the newest version. */
export async function publishDraft(
  trx: Trx,
  draft: DraftRow,
  cases: readonly AnyCase[],
  approvals: readonly ApprovalRow[],
  now: Date,
): Promise<DraftRow> {
  const { family, key, baseVersion } = draft;
  await insertVersion(trx, { ...draft, approvedBy: approvals.map(({ userId }) => userId) }, cases, now);
  const published = await updateDraft(trx, draft.id, { state: 'published' }, now);
  await suspendOthers(trx, { family, key, baseVersion }, now);
  return published;
}

export const suspendOthers = (
  trx: Trx,
  { family, key, baseVersion }: Pick<DraftRow, 'family' | 'key' | 'baseVersion'>,
  now: Date,
): Promise<number> =>
  RuleDraft.query(trx)
    .where({ family, key, state: 'in_review' })
    .where('baseVersion', '<=', baseVersion)
    .update({ state: 'suspended', updatedAt: now.toISOString() })
    .execute();
