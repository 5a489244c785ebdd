// Creates, changes and deletes drafts, as long as they are not submitted for review.
import type { Trx } from '#core/platform/db.ts';
import { AppError, conflict, invalid } from '#core/platform/errors.ts';
import { newId } from '#core/platform/ids.ts';
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import type { ImportOrigin, RuleDocument } from '#rules/rulesets/index.ts';
import type { DraftState } from '../enums.ts';
import type { RuleSet } from '../published/scopes.ts';
import { casesOf, findVersion } from '../published/store.ts';
import { withoutReason } from '../validation/engine/inherited-cases.ts';
import { versionBack } from './base.ts';
import { type DraftRow, insertDraft, lockDraft, RuleDraft, updateDraft } from './store.ts';
import { caseList, draftText, isSameContent, metaOf } from './text.ts';

export interface NewDraft {
  readonly baseVersion: number;
  /** Default: the text of the base. */
  readonly document?: object;
  readonly cases?: unknown;
  /** Where an imported text comes from. */
  readonly origin?: ImportOrigin;
}

/**
 * Starts from the newest published version or, where that one was rolled back, from the version in force: the draft then has the
 * text of the latter and the number after the former. Throws CONFLICT `base_moved` for any other base.
 */
export async function createDraft(trx: Trx, set: RuleSet, input: NewDraft, authorUserId: number, now: Date) {
  const { family, key, newestVersion: baseVersion } = set;
  if (![baseVersion, await versionBack(trx, set, now)].includes(input.baseVersion)) throw baseMoved(baseVersion);
  const base = await findVersion(trx, family, key, input.baseVersion);
  const document = input.document ?? (base && renumbered(JSON.parse(base.document) as RuleDocument, baseVersion + 1));
  if (!document) throw invalid('document', 'is required for the first version');
  const cases = input.cases === undefined ? (base ? casesOf(base).map(withoutReason) : []) : caseList(input.cases);
  return insertDraft(trx, {
    id: newId(),
    family,
    key,
    baseVersion,
    state: 'draft',
    ...draftText(document, { family, key, baseVersion }),
    cases: canonicalJson(cases),
    level: null,
    quorum: null,
    declineReason: null,
    authorUserId,
    editorUserIds: [],
    origin: input.origin ?? null,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  });
}

/** The text of the base keeps the base's number, as always; that of an older version would hold a number that is taken. */
const renumbered = (document: RuleDocument, version: number): object =>
  document.meta.version === version - 1 ? document : { ...document, meta: { ...document.meta, version } };

export const baseMoved = (newestVersion: number) =>
  conflict('base_moved', `Version ${newestVersion} is the newest one by now: start from it.`, 'baseVersion');

const editable: readonly DraftState[] = ['draft', 'validated', 'suspended'];

export interface Edit {
  readonly document: object;
  readonly cases?: unknown;
}

/**
 * Replaces the text. `ifMatch` is the ETag that the editor has seen. A document whose version is the one after the newest
 * published makes that one the base. A text with another content does not come from a file any more. Throws PRECONDITION_FAILED when the draft was changed meanwhile.
 */
export async function replaceDraft(
  trx: Trx,
  { id, family, key }: DraftRow,
  edit: Edit,
  by: { readonly userId: number; readonly ifMatch: string | undefined; readonly newestVersion: number },
  now: Date,
): Promise<DraftRow> {
  const draft = await lockDraft(trx, id);
  requireSeen(draft, by.ifMatch);
  requireDraftState(
    draft,
    editable,
    'A draft that is in review or closed does not change. Withdraw it, or start a new one.',
  );
  const baseVersion = metaOf(edit.document).version === by.newestVersion + 1 ? by.newestVersion : draft.baseVersion;
  const editors = new Set([...draft.editorUserIds, by.userId].filter((one) => one !== draft.authorUserId));
  const text = draftText(edit.document, { family, key, baseVersion });
  return updateDraft(
    trx,
    id,
    {
      ...text,
      ...(!isSameContent(text.document, draft.document) && { origin: null }),
      ...(edit.cases !== undefined && { cases: canonicalJson(caseList(edit.cases)) }),
      baseVersion,
      state: 'draft',
      level: null,
      findings: null,
      mutationScore: null,
      editorUserIds: [...editors],
    },
    now,
  );
}

function requireSeen(draft: DraftRow | undefined, ifMatch: string | undefined): asserts draft is DraftRow {
  if (ifMatch === undefined) throw invalid('If-Match', 'is required: send the ETag of the draft that you changed');
  if (draft && [draft.etag, etagOf(draft)].includes(ifMatch)) return;
  throw new AppError('PRECONDITION_FAILED', 'The draft was changed meanwhile. Read it again, then repeat your change.');
}

/** The value of the header: `etag` in quotes. */
export const etagOf = ({ etag }: Pick<DraftRow, 'etag'>): string => `"${etag}"`;

/** Throws CONFLICT `state`. */
export function requireDraftState(
  draft: DraftRow | undefined,
  wanted: readonly DraftState[],
  message: string,
): asserts draft is DraftRow {
  if (!draft || !wanted.includes(draft.state)) throw conflict('state', message, 'state');
}

/** Only a draft that was never submitted can be deleted. */
export async function deleteDraft(trx: Trx, { id }: DraftRow): Promise<void> {
  const draft = await lockDraft(trx, id);
  const message = 'A draft that was submitted stays. Withdraw it.';
  requireDraftState(draft, ['draft', 'validated'], message);
  if (draft.quorum !== null) throw conflict('state', message, 'state');
  await RuleDraft.query(trx).where({ id }).delete();
}
