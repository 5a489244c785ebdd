// Comments on a change, or on a rule or constant of one of its documents. They are never changed.
import { defaultLimit, keyInCursor, type PageQuery, pageOf } from '#core/http/pages.ts';
import type { Trx } from '#core/platform/db.ts';
import { invalid } from '#core/platform/errors.ts';
import { namesPart } from './documents/text-of-change.ts';
import { type ChangeWriting, lockedChange } from './edit.ts';
import {
  type ChangeComment,
  type ChangeRow,
  changeDocumentOf,
  documentsOf,
  nameOfDocument,
  RuleComment,
} from './store.ts';
import { requireImpersonal } from './text.ts';

export interface NewComment {
  readonly text: string;
  readonly on?: {
    readonly family: string;
    readonly key: string;
    readonly ruleId?: string;
    readonly constantId?: string;
  };
}

/** Throws VALIDATION_ERROR `looks_personal`, and `not_allowed` for a document, rule or constant that is not in the change. */
export async function addComment(trx: Trx, row: ChangeRow, { text, on }: NewComment, { userId, now }: ChangeWriting) {
  if (text.trim() === '') throw invalid('text', 'is empty');
  requireImpersonal('text', text);
  const change = await lockedChange(trx, row);
  if (on) await requirePart(trx, change, on);
  const stored = await RuleComment.query(trx)
    .insert({
      changeId: change.id,
      userId,
      submission: change.submission,
      text,
      onFamily: on?.family ?? null,
      onKey: on?.key ?? null,
      onRuleId: on?.ruleId ?? null,
      onConstantId: on?.constantId ?? null,
      at: now.toISOString(),
    })
    .returning('*');
  return presentComment(stored);
}

async function requirePart(trx: Trx, { id }: ChangeRow, on: NonNullable<NewComment['on']>): Promise<void> {
  const document = (await documentsOf(trx, [id])).find((one) => nameOfDocument(one) === nameOfDocument(on));
  if (document && namesPart(changeDocumentOf(document), on)) return;
  const part = on.ruleId !== undefined ? 'ruleId' : on.constantId !== undefined ? 'constantId' : 'key';
  throw invalid(`on.${document ? part : 'key'}`, 'not_allowed');
}

/** Returns comments oldest first. */
export async function commentPage(trx: Trx, { id }: ChangeRow, { limit = defaultLimit, cursor }: PageQuery) {
  const after = Number(keyInCursor(cursor, ['number'])?.[0] ?? 0);
  const rows: ChangeComment[] = await RuleComment.query(trx)
    .where({ changeId: id })
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit + 1)
    .select('*');
  return pageOf(rows, limit, (row) => [row.id], presentComment);
}

const presentComment = ({
  id,
  userId,
  at,
  submission,
  text,
  onFamily,
  onKey,
  onRuleId,
  onConstantId,
}: ChangeComment) => ({
  commentId: id,
  userId,
  at,
  submission,
  text,
  on:
    onFamily === null || onKey === null
      ? null
      : {
          family: onFamily,
          key: onKey,
          ...(onRuleId !== null && { ruleId: onRuleId }),
          ...(onConstantId !== null && { constantId: onConstantId }),
        },
});
