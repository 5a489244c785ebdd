// Writes the documents of a change.
import type { Trx } from '#core/platform/db.ts';
import { invalid, notFound } from '#core/platform/errors.ts';
import { editableStates } from '../../enums.ts';
import { findRuleSet } from '../../published/scopes.ts';
import { type Base, baseIdOf, basesOf, versionTexts } from '../bases.ts';
import {
  baseTextsOf,
  type ChangeWriting,
  lockedChange,
  mostDocuments,
  notEditable,
  reopen,
  requireState,
  settled,
} from '../edit.ts';
import { etagOfChange, etagOfDocument, requireIfMatch, requireSeen } from '../etags.ts';
import {
  type ChangeDocument,
  type ChangeRow,
  documentsOf,
  nameOfDocument,
  RuleChangeDocument,
  rewriteDocument,
} from '../store.ts';
import { isSameContent } from '../text.ts';
import { type SentText, textOnBase } from './text-of-change.ts';

export interface DocumentPlace {
  readonly family: string;
  readonly key: string;
}

export interface Written {
  readonly change: ChangeRow;
  readonly document: ChangeDocument;
  readonly isNew: boolean;
}

/**
 * Replaces a text of the change; a document that is not in it joins, on the base of now. `ifMatch` is the ETag of the document or,
 * where it joins, of the change. Throws NOT_FOUND for an unknown rule set, VALIDATION_ERROR, PRECONDITION_FAILED, CONFLICT `state`.
 */
export async function putDocument(
  trx: Trx,
  row: ChangeRow,
  place: DocumentPlace,
  sent: SentText,
  ifMatch: string | undefined,
  writing: ChangeWriting,
): Promise<Written> {
  requireIfMatch(ifMatch);
  const change = await lockedChange(trx, row);
  const all = await documentsOf(trx, [change.id]);
  const present = all.find((one) => nameOfDocument(one) === nameOfDocument(place));
  if (!present) await findRuleSet(trx, place.family, place.key);
  const text = present ? await edited(trx, present, sent) : await joining(trx, place, sent, writing.now);
  if (!present && all.length >= mostDocuments) throw invalid('documents', `are at most ${mostDocuments}`);
  requireSeen(present ? etagOfDocument(present) : etagOfChange(change), ifMatch);
  requireState(change, editableStates, notEditable);
  await reopen(trx, change, writing);
  const key = { changeId: change.id, ...place };
  if (present) await rewriteDocument(trx, change.id, text);
  else await RuleChangeDocument.query(trx).insert({ ...key, ...text });
  const document = { ...text, ...key, level: null, mutationScore: null };
  return { change: await settled(trx, change, writing.now), document, isNew: !present };
}

/** The document keeps its base, and what is not sent; one with another content does not come from a file any more. */
async function edited(trx: Trx, present: ChangeDocument, { document, cases }: SentText) {
  const { baseVersion: version, version: next, origin } = present;
  const base: Base = { version, newest: next - 1, isInForce: true };
  const text = (await versionTexts(trx, [baseIdOf(present)])).get(baseIdOf(present));
  const sent = { document: document ?? JSON.parse(present.document), cases: cases ?? caseListIn(present) };
  const row = textOnBase(present, base, text, sent);
  return { ...row, origin: isSameContent(row.document, present.document) ? origin : null };
}

const caseListIn = ({ cases }: ChangeDocument): unknown => (cases === null ? [] : JSON.parse(cases).cases);

async function joining(trx: Trx, place: DocumentPlace, sent: SentText, now: Date) {
  const name = nameOfDocument(place);
  const bases = await basesOf(trx, [name], now);
  const base = bases.get(name) ?? { version: 0, newest: 0, isInForce: true };
  return textOnBase(place, base, (await baseTextsOf(trx, bases)).get(name), sent);
}

/** Throws as `putDocument` does, and NOT_FOUND for a document that is not in the change. */
export async function removeDocument(
  trx: Trx,
  row: ChangeRow,
  place: DocumentPlace,
  ifMatch: string | undefined,
  writing: ChangeWriting,
): Promise<ChangeRow> {
  requireIfMatch(ifMatch);
  const change = await lockedChange(trx, row);
  const document = (await documentsOf(trx, [change.id])).find((one) => nameOfDocument(one) === nameOfDocument(place));
  if (!document) throw notFound();
  requireSeen(etagOfDocument(document), ifMatch);
  requireState(change, editableStates, notEditable);
  await reopen(trx, change, writing);
  await RuleChangeDocument.query(trx)
    .where({ changeId: change.id, ...place })
    .delete();
  return settled(trx, change, writing.now);
}
