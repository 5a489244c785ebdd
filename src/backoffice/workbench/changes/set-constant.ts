// Sets a constant in a change: in every document in force that holds it, and in every literal that stands for it.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { invalid, notFound } from '#core/platform/errors.ts';
import { type DocumentValidators, documentName, documentValidators, type RuleDocument } from '#rules/rulesets/index.ts';
import { editableStates } from '../enums.ts';
import { type Base, type BaseText, baseIdOf, basesOf, versionTexts } from './bases.ts';
import { inheritedCases, type NewText, textOnBase } from './documents/text-of-change.ts';
import {
  baseTextsOf,
  type ChangeWriting,
  lockedChange,
  mostDocuments,
  notEditable,
  reopen,
  requireState,
  settled,
} from './edit.ts';
import { type ConstantValue, domainFault, holdsConstant, rangeFault, withConstant } from './engine/constant-value.ts';
import { etagOfChange, requireIfMatch, requireSeen } from './etags.ts';
import {
  type ChangeDocument,
  type ChangeRow,
  caseListOf,
  changeDocumentOf,
  documentsOf,
  nameOfDocument,
  RuleChangeDocument,
} from './store.ts';
import { caseText, isSameContent } from './text.ts';

/**
 * Documents that are not in the change join it, those that say nothing new any more leave it. Throws NOT_FOUND for a constant that no
 * document holds, VALIDATION_ERROR for a value that cannot stand there, PRECONDITION_FAILED, CONFLICT `state`.
 */
export async function setChangeConstant(
  services: Pick<Services, 'rules' | 'capabilities'>,
  trx: Trx,
  row: ChangeRow,
  constant: ConstantValue,
  ifMatch: string | undefined,
  writing: ChangeWriting,
): Promise<ChangeRow> {
  requireIfMatch(ifMatch);
  const change = await lockedChange(trx, row);
  const rewritten = await withValue(services, trx, change, constant, writing.now);
  requireSeen(etagOfChange(change), ifMatch);
  requireState(change, editableStates, notEditable);
  return store(trx, change, rewritten, writing);
}

/** As `setChangeConstant`, of a change that is being made. */
export async function addConstant(
  services: Pick<Services, 'rules' | 'capabilities'>,
  trx: Trx,
  change: ChangeRow,
  constant: ConstantValue,
  writing: ChangeWriting,
): Promise<ChangeRow> {
  return store(trx, change, await withValue(services, trx, change, constant, writing.now), writing);
}

interface Rewritten {
  readonly text: NewText;
  readonly isIn: boolean;
  readonly saysNothingNew: boolean;
}

async function withValue(
  { rules, capabilities }: Pick<Services, 'rules' | 'capabilities'>,
  trx: Trx,
  change: ChangeRow,
  constant: ConstantValue,
  now: Date,
): Promise<Rewritten[]> {
  const present = await documentsOf(trx, [change.id]);
  const own = new Map(present.map((one) => [nameOfDocument(one), one]));
  const inForce = (await rules.at(trx, now)).rules.documents;
  const joining = inForce.filter((one) => holdsConstant(one, constant.id) && !own.has(documentName(one)));
  const holding = present.filter((one) => holdsConstant(changeDocumentOf(one), constant.id));
  if (joining.length + holding.length === 0) throw notFound();
  if (present.length + joining.length > mostDocuments) throw invalid('documents', `are at most ${mostDocuments}`);
  const validators = documentValidators(capabilities);
  const kept = await versionTexts(trx, holding.map(baseIdOf));
  const bases = await basesOf(trx, joining.map(documentName), now);
  const started = await baseTextsOf(trx, bases);
  return [
    ...holding.map((one) => rewrittenText(one, kept.get(baseIdOf(one)), constant, validators)),
    ...joining.flatMap((one) => joined(one, bases, started, constant, validators)),
  ];
}

/** A text of the change keeps its base and its cases. */
function rewrittenText(
  present: ChangeDocument,
  baseText: BaseText | undefined,
  constant: ConstantValue,
  validators: DocumentValidators,
): Rewritten {
  const { baseVersion, version } = present;
  const base: Base = { version: baseVersion, newest: version - 1, isInForce: true };
  const document = valued(changeDocumentOf(present), constant, validators);
  const text = textOnBase(present, base, baseText, { document, cases: caseListOf(present) });
  const origin = isSameContent(text.document, present.document) ? present.origin : null;
  const inherited = caseText(inheritedCases(baseText)).casesSha256;
  const saysNothingNew =
    baseText !== undefined && inherited === text.casesSha256 && isSameContent(text.document, baseText.document);
  return { text: { ...text, origin }, isIn: true, saysNothingNew };
}

/** A base that no longer holds the constant stays out: the check then says that the constant is split. */
function joined(
  { meta: { family, key } }: RuleDocument,
  bases: ReadonlyMap<string, Base>,
  texts: ReadonlyMap<string, BaseText>,
  constant: ConstantValue,
  validators: DocumentValidators,
): Rewritten[] {
  const name = nameOfDocument({ family, key });
  const [base, baseText] = [bases.get(name), texts.get(name)];
  if (!base || !baseText) return [];
  const before = changeDocumentOf(baseText);
  if (!holdsConstant(before, constant.id)) return [];
  const { version: _version, ...meta } = before.meta;
  const document = { ...valued(before, constant, validators), meta };
  const text = textOnBase({ family, key }, base, baseText, { document });
  return [{ text, isIn: false, saysNothingNew: isSameContent(text.document, baseText.document) }];
}

/** Throws VALIDATION_ERROR for a value outside the domain of a fact that it is compared with, or of another type. */
function valued(document: RuleDocument, constant: ConstantValue, validators: DocumentValidators): RuleDocument {
  const fault = domainFault(document, constant) ?? rangeFault(validators.constants.get(constant.id), constant.value);
  if (fault !== undefined) throw invalid('value', fault);
  return withConstant(document, constant);
}

async function store(
  trx: Trx,
  change: ChangeRow,
  rewritten: readonly Rewritten[],
  writing: ChangeWriting,
): Promise<ChangeRow> {
  await reopen(trx, change, writing);
  const keyOf = ({ family, key }: NewText) => ({ changeId: change.id, family, key });
  const leaving = rewritten.filter(({ isIn, saysNothingNew }) => isIn && saysNothingNew);
  const left = rewritten.filter(({ saysNothingNew }) => !saysNothingNew);
  await RuleChangeDocument.query(trx)
    .where({ changeId: change.id })
    .whereIn(
      ['family', 'key'],
      leaving.map(({ text: { family, key } }) => [family, key]),
    )
    .delete();
  await RuleChangeDocument.query(trx)
    .insert(left.map(({ text }) => ({ ...keyOf(text), ...text })))
    .onConflict(['changeId', 'family', 'key'])
    .merge(['document', 'sha256', 'constants', 'origin']);
  return settled(trx, change, writing.now);
}
