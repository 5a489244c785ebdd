// Creates, changes and deletes changes, as long as they are not submitted for review.
import type { Trx } from '#core/platform/db.ts';
import { AppError, conflict, invalid } from '#core/platform/errors.ts';
import { newId } from '#core/platform/ids.ts';
import type { DocumentName } from '#rules/rulesets/index.ts';
import { type ChangeState, editableStates } from '../enums.ts';
import { openFamilies } from '../published/scopes.ts';
import { type Base, type BaseText, baseMoved, basesOf, versionTexts } from './bases.ts';
import { type NewText, type SentText, textOnBase } from './documents/text-of-change.ts';
import {
  type ChangeRow,
  findChange,
  insertChange,
  lockChange,
  nameOfDocument,
  RuleChange,
  RuleChangeDocument,
  RuleComment,
  updateChange,
} from './store.ts';
import { requireImpersonal } from './text.ts';

export interface SentDocument extends SentText {
  readonly family: string;
  readonly key: string;
  /** The version that the text started from, where it is sent. */
  readonly baseVersion?: number;
}

export interface NewChangeInput {
  readonly title: string;
  readonly why?: string;
  readonly documents?: readonly SentDocument[];
}

/** Who writes, and when. */
export interface ChangeWriting {
  readonly userId: number;
  readonly now: Date;
}

export const mostDocuments = 40;

/** Throws VALIDATION_ERROR for unknown sets and texts that cannot be stored, CONFLICT `base_moved` for another base than that of now. */
export async function createChange(
  trx: Trx,
  { title, why = '', documents = [] }: NewChangeInput,
  { userId, now }: ChangeWriting,
): Promise<ChangeRow> {
  const words = { title: titleOf(title), why };
  for (const [field, text] of Object.entries(words)) requireImpersonal(field, text);
  const texts = await textsOnBases(trx, documents, now);
  const { id } = await insertChange(trx, {
    id: newId(),
    ...words,
    authorUserId: userId,
    createdAt: now.toISOString(),
  });
  if (texts.length === 0) return (await findChange(trx, id)) as ChangeRow;
  await RuleChangeDocument.query(trx).insert(texts.map((text) => ({ changeId: id, ...text })));
  return updateChange(trx, id, {}, now);
}

const shortestTitle = 3;

/** Throws VALIDATION_ERROR for a title that is blank but for a few letters. */
export function titleOf(title: string): string {
  const trimmed = title.trim();
  if ([...trimmed].length < shortestTitle) throw invalid('title', `must have at least ${shortestTitle} letters`);
  return trimmed;
}

/** Returns the rows of the documents, each on its base. Reads all bases with one query. */
async function textsOnBases(trx: Trx, documents: readonly SentDocument[], now: Date): Promise<NewText[]> {
  const names = documents.map(nameOfDocument);
  const twice = names.findIndex((name, at) => names.indexOf(name) < at);
  if (twice >= 0) throw invalid(`documents.${twice}.key`, 'is listed twice');
  const bases = await basesOf(trx, names, now);
  const texts = await baseTextsOf(trx, bases);
  return documents.map((one, at) => {
    const base = bases.get(nameOfDocument(one));
    if (!base || !isRuleSet(one.family, base))
      throw invalid(`documents.${at}.key`, 'is not a rule set of this service');
    if (one.baseVersion !== undefined && one.baseVersion !== base.version) {
      throw baseMoved(base.version, `documents.${at}.baseVersion`);
    }
    return inPlace(`documents.${at}.`, () => textOnBase(one, base, texts.get(nameOfDocument(one)), one));
  });
}

const isRuleSet = (family: string, base: Base): boolean => base.newest > 0 || openFamilies.has(family);

/** Returns the texts of the bases by name. */
export async function baseTextsOf(
  trx: Trx,
  bases: ReadonlyMap<DocumentName, Base>,
): Promise<ReadonlyMap<DocumentName, BaseText>> {
  const texts = await versionTexts(
    trx,
    [...bases].map(([name, { version }]) => `${name}@${version}`),
  );
  return new Map(
    [...bases].flatMap(([name, { version }]) => {
      const text = texts.get(`${name}@${version}`);
      return text ? [[name, text] as const] : [];
    }),
  );
}

/** Runs `work`; the fields of a VALIDATION_ERROR get a place in front. */
function inPlace<T>(place: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') throw error;
    const details = error.details?.map((detail) => ({ ...detail, field: `${place}${detail.field}` }));
    throw new AppError(error.code, error.message, { ...(details && { details }) });
  }
}

/** Throws CONFLICT `state`. */
export function requireState(
  change: ChangeRow | undefined,
  wanted: readonly ChangeState[],
  message: string,
): asserts change is ChangeRow {
  if (!change || !wanted.includes(change.state)) throw conflict('state', message, 'state');
}

export const notEditable =
  'A change that is in review or closed is not written. Let it be returned, or start a new one.';

/** The edit makes the change a draft without a check, and its writer an editor. The caller holds the lock. */
export async function reopen(trx: Trx, change: ChangeRow, { userId, now }: ChangeWriting): Promise<void> {
  await updateChange(
    trx,
    change.id,
    { state: 'draft', findings: null, level: null, editorUserIds: editorsWith(change, userId) },
    now,
  );
  await RuleChangeDocument.query(trx).where({ changeId: change.id }).update({ level: null, mutationScore: null });
}

/** Brings the hash up to date after texts were written. */
export const settled = (trx: Trx, { id }: ChangeRow, now: Date): Promise<ChangeRow> => updateChange(trx, id, {}, now);

const editorsWith = ({ authorUserId, editorUserIds }: ChangeRow, userId: number): number[] =>
  userId === authorUserId || editorUserIds.includes(userId) ? [...editorUserIds] : [...editorUserIds, userId];

export interface ChangeEdit {
  readonly title?: string;
  readonly why?: string;
  readonly requestedReviewers?: readonly number[];
}

/**
 * Title and reason belong to what is approved, so that they do not change in review; who is asked to review may. The state stays.
 * The caller holds the lock and has checked what the editor has seen. Throws CONFLICT `state`.
 */
export async function editChange(
  trx: Trx,
  change: ChangeRow,
  { title, why, requestedReviewers }: ChangeEdit,
  { userId, now }: ChangeWriting,
): Promise<ChangeRow> {
  const words = { ...(title !== undefined && { title: titleOf(title) }), ...(why !== undefined && { why }) };
  const isText = Object.keys(words).length > 0;
  requireState(change, isText ? editableStates : [...editableStates, 'in_review'], notEditable);
  return updateChange(
    trx,
    change.id,
    {
      ...words,
      ...(isText && { editorUserIds: editorsWith(change, userId) }),
      ...(requestedReviewers && { requestedReviewers: [...new Set(requestedReviewers)] }),
    },
    now,
  );
}

/** Deletes the change with its documents and comments. Throws CONFLICT `state` for one that was submitted. */
export async function deleteChange(trx: Trx, change: ChangeRow, writing: ChangeWriting): Promise<void> {
  const message = 'A change that was submitted stays. Withdraw it.';
  requireState(change, editableStates, message);
  if (change.submission > 0) throw conflict('state', message, 'state');
  await reopen(trx, change, writing);
  await RuleChangeDocument.query(trx).where({ changeId: change.id }).delete();
  await RuleChange.query(trx).where({ id: change.id }).delete();
  await RuleComment.query(trx).where({ changeId: change.id }).delete();
}

/** Locks the change that the path names. Throws CONFLICT `change_moved` where it was deleted since. */
export async function lockedChange(trx: Trx, { id }: Pick<ChangeRow, 'id'>): Promise<ChangeRow> {
  const change = await lockChange(trx, id);
  if (!change) throw conflict('change_moved', 'The change was deleted meanwhile.');
  return change;
}
