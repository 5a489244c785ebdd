// Reads and writes changes, their documents and approvals. Triggers of the database refuse what the life cycle does not allow.
import type { ModelObject } from 'objection';
import type { Trx } from '#core/platform/db.ts';
import { lockRows } from '#core/platform/locks.ts';
import { modelOf, Row } from '#core/platform/model.ts';
import type { AnyCase, ChangeLevel, DocumentName, ImportOrigin, RuleDocument } from '#rules/rulesets/index.ts';
import type { ChangeState, DeclineReason } from '../enums.ts';
import type { TextFinding } from '../validation/engine/proposals.ts';

/** A finding with the document that it is about. */
export interface ChangeFinding extends TextFinding {
  readonly family: string;
  readonly key: string;
}

export class RuleChange extends Row {
  static override tableName = 'rule_change';
  static override jsonAttributes = ['findings'];
  declare readonly id: string;
  declare readonly title: string;
  declare readonly why: string;
  declare readonly state: ChangeState;
  /** Hash of title, why, and the hashes of all documents; the database computes it. */
  declare readonly sha256: string;
  /** Approvals needed; null before the change is submitted. */
  declare readonly quorum: number | null;
  /** How often it was submitted. Approvals of earlier submissions do not count. */
  declare readonly submission: number;
  declare readonly requestedReviewers: readonly number[];
  declare readonly declineReason: DeclineReason | null;
  /** Findings of the last check of these texts. */
  declare readonly findings: readonly ChangeFinding[] | null;
  /** Null before the check, and while a text cannot be read. */
  declare readonly level: ChangeLevel | null;
  declare readonly authorUserId: number;
  declare readonly editorUserIds: readonly number[];
  declare readonly createdAt: string;
  declare readonly updatedAt: string;
}

export type ChangeRow = ModelObject<RuleChange>;

/** A constant that a text gives another value than its base; null on the side that lacks it. */
export interface ChangedConstant {
  readonly id: string;
  readonly before: string | number | boolean | null;
  readonly after: string | number | boolean | null;
}

interface ChangeDocumentRow {
  readonly changeId: string;
  readonly family: string;
  readonly key: string;
  /** 0 for the first version of a new document. */
  readonly baseVersion: number;
  /** The number that the text gets when it is published. */
  readonly version: number;
  /** RFC 8785 text. */
  readonly document: string;
  readonly sha256: string;
  /** RFC 8785 text of `{cases}`; null without cases. */
  readonly cases: string | null;
  readonly casesSha256: string | null;
  readonly constants: readonly ChangedConstant[];
  /** Where the text was imported from; null for one that was written here. */
  readonly origin: ImportOrigin | null;
  readonly level: ChangeLevel | null;
  readonly mutationScore: number | null;
}

export const RuleChangeDocument = modelOf<ChangeDocumentRow>('rule_change_document', {
  id: ['changeId', 'family', 'key'],
  json: ['constants', 'origin'],
});

export type ChangeDocument = ChangeDocumentRow;

/** Replaces the text of a document that is in the change. */
export async function rewriteDocument(
  trx: Trx,
  changeId: string,
  { family, key, ...text }: Omit<ChangeDocument, 'changeId' | 'level' | 'mutationScore'>,
): Promise<void> {
  await RuleChangeDocument.query(trx).where({ changeId, family, key }).update(text);
}

interface ChangeApprovalRow {
  readonly changeId: string;
  readonly userId: number;
  readonly sha256: string;
  readonly quorum: number;
  readonly submission: number;
  readonly reportHash: string | null;
  readonly at: string;
}

export const RuleChangeApproval = modelOf<ChangeApprovalRow>('rule_change_approval', {
  id: ['changeId', 'userId', 'submission'],
});

export type ChangeApproval = ChangeApprovalRow;

interface CommentRow {
  readonly id: number;
  readonly changeId: string;
  readonly userId: number;
  /** How often the change had been submitted by then. */
  readonly submission: number;
  readonly text: string;
  readonly onFamily: string | null;
  readonly onKey: string | null;
  readonly onRuleId: string | null;
  readonly onConstantId: string | null;
  readonly at: string;
}

export const RuleComment = modelOf<CommentRow>('rule_comment');

export type ChangeComment = CommentRow;

/** The default quorum. */
export const defaultQuorum = 1;

export const nameOfDocument = ({ family, key }: { readonly family: string; readonly key: string }): DocumentName =>
  `${family}/${key}`;

export const changeDocumentOf = ({ document }: Pick<ChangeDocument, 'document'>): RuleDocument =>
  JSON.parse(document) as RuleDocument;

/** The version that a document has become; null while it has not. */
export const publishedVersionOf = ({ state }: Pick<ChangeRow, 'state'>, { version }: ChangeDocument): number | null =>
  state === 'published' ? version : null;

export const findChange = (trx: Trx, id: string): Promise<ChangeRow | undefined> =>
  RuleChange.query(trx).where({ id }).first().execute();

/** Finds a change and locks it until the transaction ends, so that a state changes once. */
export const lockChange = (trx: Trx, id: string): Promise<ChangeRow | undefined> =>
  lockRows('ruleChange', 'change', RuleChange.query(trx).where({ id })).first().execute();

/** Returns the documents of the changes in alphabetical order. */
export const documentsOf = (trx: Trx, changeIds: readonly string[]): Promise<ChangeDocument[]> =>
  RuleChangeDocument.query(trx)
    .whereIn('changeId', [...changeIds])
    .orderBy(['changeId', 'family', 'key'])
    .select('*')
    .castTo<ChangeDocument[]>()
    .execute();

export const caseListOf = ({ cases }: Pick<ChangeDocument, 'cases'>): readonly AnyCase[] =>
  cases === null ? [] : (JSON.parse(cases) as { cases: readonly AnyCase[] }).cases;

type NewChange = Pick<ChangeRow, 'id' | 'title' | 'why' | 'authorUserId' | 'createdAt'>;

export async function insertChange(trx: Trx, row: NewChange): Promise<ChangeRow> {
  return RuleChange.query(trx)
    .insert({ ...row, state: 'draft', updatedAt: row.createdAt })
    .returning('*');
}

type Update = Partial<Omit<ChangeRow, 'id' | 'sha256' | 'authorUserId' | 'createdAt'>>;

/** Also brings the hash up to date with the documents. */
export async function updateChange(trx: Trx, id: string, change: Update, now: Date): Promise<ChangeRow> {
  const [stored] = await RuleChange.query(trx)
    .where({ id })
    .update({ ...change, updatedAt: now.toISOString() })
    .returning('*');
  return stored as ChangeRow;
}

/** Returns the approvals of the changes in their order. */
export const approvalsOf = (trx: Trx, changeIds: readonly string[]): Promise<ChangeApproval[]> =>
  RuleChangeApproval.query(trx)
    .whereIn('changeId', [...changeIds])
    .orderBy([{ column: 'at' }, { column: 'userId' }])
    .select('*')
    .castTo<ChangeApproval[]>()
    .execute();

/** Whether an approval was given since the last submission: from then on the change stays as it was approved. */
export const isBinding = (approval: ChangeApproval, change: ChangeRow): boolean =>
  approval.changeId === change.id &&
  approval.submission === change.submission &&
  (change.state === 'in_review' || change.state === 'published');
