// A person accepts cases that the last check has proposed, with the reason why the answers change.
import type { Trx } from '#core/platform/db.ts';
import { invalid } from '#core/platform/errors.ts';
import type { AnyCase } from '#rules/rulesets/index.ts';
import { editableStates } from '../enums.ts';
import { type ChangeWriting, lockedChange, notEditable, reopen, requireState, settled } from './edit.ts';
import { etagOfChange, requireIfMatch, requireSeen } from './etags.ts';
import { type ChangeRow, caseListOf, documentsOf, nameOfDocument, RuleChangeDocument } from './store.ts';
import { caseText, requireSize } from './text.ts';

export interface AcceptedCases {
  readonly cases: readonly { readonly family: string; readonly key: string; readonly name: string }[];
  readonly acceptedChange: string;
}

/** Throws PRECONDITION_FAILED, CONFLICT `state`, and VALIDATION_ERROR for a case that the last check has not proposed. */
export async function acceptCases(
  trx: Trx,
  row: ChangeRow,
  { cases, acceptedChange }: AcceptedCases,
  ifMatch: string | undefined,
  writing: ChangeWriting,
): Promise<ChangeRow> {
  requireIfMatch(ifMatch);
  const reason = acceptedChange.trim();
  if ([...reason].length < shortestReason)
    throw invalid('acceptedChange', `must have at least ${shortestReason} letters`);
  const change = await lockedChange(trx, row);
  requireSeen(etagOfChange(change), ifMatch);
  requireState(change, editableStates, notEditable);
  const proposed = cases.map((one, at) => {
    const found = proposedCases(change, nameOfDocument(one)).find(({ name }) => name === one.name);
    if (!found) throw invalid(`cases.${at}.name`, 'was not proposed by the last check');
    return { document: nameOfDocument(one), golden: found };
  });
  const documents = await documentsOf(trx, [change.id]);
  await reopen(trx, change, writing);
  for (const document of documents) {
    const own = proposed.filter((one) => one.document === nameOfDocument(document)).map(({ golden }) => golden);
    if (own.length === 0) continue;
    const text = caseText(withAccepted(caseListOf(document), own, reason));
    requireSize({ ...document, ...text });
    const { changeId, family, key } = document;
    await RuleChangeDocument.query(trx).where({ changeId, family, key }).update(text);
  }
  return settled(trx, change, writing.now);
}

const shortestReason = 3;

/** The cases that the last check has proposed for a document; none before the first check. */
export const proposedCases = ({ findings }: Pick<ChangeRow, 'findings'>, name: string): readonly AnyCase[] =>
  (findings ?? []).filter((one) => nameOfDocument(one) === name).flatMap(({ proposedCases: own = [] }) => own);

/** A case in the place of one of the same name says why it differs. */
function withAccepted(cases: readonly AnyCase[], accepted: readonly AnyCase[], acceptedChange: string): AnyCase[] {
  const byName = new Map(accepted.map((one) => [one.name, { ...one, acceptedChange } as AnyCase]));
  const kept = cases.map((one) => byName.get(one.name) ?? one);
  const names = new Set(cases.map(({ name }) => name));
  return [...kept, ...[...byName.values()].filter(({ name }) => !names.has(name))];
}
