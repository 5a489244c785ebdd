// Reads and writes drafts and approvals. Triggers of the database refuse what the life cycle does not allow.
import type { ModelObject } from 'objection';
import { defaultLimit, keyInCursor, type Page, type PageQuery, pageOf } from '#core/http/pages.ts';
import type { Trx } from '#core/platform/db.ts';
import { lockRows } from '#core/platform/locks.ts';
import { modelOf, Row } from '#core/platform/model.ts';
import type { AnyCase, ChangeLevel, ImportOrigin, RuleDocument } from '#rules/rulesets/index.ts';
import type { DeclineReason, DraftState } from '../enums.ts';
import type { DraftFinding } from '../validation/engine/proposals.ts';

export class RuleDraft extends Row {
  static override tableName = 'rule_draft';
  static override jsonAttributes = ['findings', 'origin'];
  declare readonly id: string;
  declare readonly family: string;
  declare readonly key: string;
  /** 0 for the first version of a new document. */
  declare readonly baseVersion: number;
  declare readonly state: DraftState;
  /** RFC 8785 text, which holds the version that the draft would become. */
  declare readonly document: string;
  declare readonly sha256: string;
  /** RFC 8785 text of a list of golden cases. */
  declare readonly cases: string;
  /** Hash of text and cases; the database computes it. */
  declare readonly etag: string;
  /** Null while the text cannot be read as a rule document. */
  declare readonly level: ChangeLevel | null;
  /** Findings of the last validation of this text. */
  declare readonly findings: readonly DraftFinding[] | null;
  declare readonly mutationScore: number | null;
  /** Approvals needed; null before the draft is submitted. */
  declare readonly quorum: number | null;
  /** How often the draft was submitted. Approvals of earlier submissions do not count. */
  declare readonly submission: number;
  declare readonly declineReason: DeclineReason | null;
  declare readonly authorUserId: number;
  declare readonly editorUserIds: readonly number[];
  /** Where the text was imported from; null for one that was written here. */
  declare readonly origin: ImportOrigin | null;
  declare readonly createdAt: string;
  declare readonly updatedAt: string;
}

export type DraftRow = ModelObject<RuleDraft>;

export interface ApprovalRow {
  readonly draftId: string;
  readonly userId: number;
  readonly sha256: string;
  /** With `sha256`, `quorum` and `submission` it says exactly what was approved. */
  readonly etag: string;
  readonly quorum: number;
  readonly submission: number;
  readonly reportHash: string | null;
  readonly at: string;
}

/** The default quorum. */
export const defaultQuorum = 1;

export const draftDocument = ({ document }: Pick<DraftRow, 'document'>): RuleDocument =>
  JSON.parse(document) as RuleDocument;
export const draftCases = ({ cases }: Pick<DraftRow, 'cases'>): readonly AnyCase[] =>
  JSON.parse(cases) as readonly AnyCase[];

export const findDraft = (trx: Trx, id: string): Promise<DraftRow | undefined> =>
  RuleDraft.query(trx).where({ id }).first().execute();

/** Finds a draft and locks it until the transaction ends, so that a state changes once. */
export const lockDraft = (trx: Trx, id: string): Promise<DraftRow | undefined> =>
  lockRows('draft', 'change', RuleDraft.query(trx).where({ id })).first().execute();

type NewRow = Omit<DraftRow, 'findings' | 'mutationScore' | 'etag' | 'submission'>;

export async function insertDraft(trx: Trx, row: NewRow): Promise<DraftRow> {
  return RuleDraft.query(trx).insert(row).returning('*');
}

type Change = Partial<Omit<DraftRow, 'id' | 'family' | 'key' | 'authorUserId' | 'createdAt' | 'etag'>>;

export async function updateDraft(trx: Trx, id: string, { findings, ...change }: Change, now: Date): Promise<DraftRow> {
  const [stored] = await RuleDraft.query(trx)
    .where({ id })
    .update({
      ...change,
      ...(findings !== undefined && { findings }),
      updatedAt: now.toISOString(),
    })
    .returning('*');
  return stored as DraftRow;
}

export const approvalsOf = (trx: Trx, draftIds: readonly string[]): Promise<ApprovalRow[]> =>
  RuleApproval.query(trx)
    .whereIn('draftId', [...draftIds])
    .orderBy([{ column: 'at' }, { column: 'userId' }])
    .select('*')
    .execute();

export const RuleApproval = modelOf<ApprovalRow>('rule_approval', { id: ['draftId', 'userId', 'submission'] });

/** Whether an approval is for this text with these cases and this quorum, and was given since the last submission. */
export const isBinding = (approval: ApprovalRow, draft: DraftRow): boolean =>
  approval.draftId === draft.id &&
  approval.etag === draft.etag &&
  approval.quorum === draft.quorum &&
  approval.submission === draft.submission;

export interface DraftInput extends PageQuery {
  readonly state?: DraftState;
}

/** Returns drafts newest first, by their creation, which does not change while a client reads further pages. */
export async function draftPage(
  trx: Trx,
  { state, limit = defaultLimit, cursor }: DraftInput,
): Promise<Page<DraftRow>> {
  const query = RuleDraft.query(trx)
    .orderBy([
      { column: 'createdAt', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(limit + 1);
  if (state !== undefined) query.where({ state });
  const after = keyInCursor(cursor, ['instant', 'string']);
  if (after) query.whereRaw('(created_at, id) < (?::timestamptz, ?)', [String(after[0]), String(after[1])]);
  const rows: DraftRow[] = await query.select('*');
  return pageOf(
    rows,
    limit,
    ({ createdAt, id }) => [createdAt, id],
    (row) => row,
  );
}
