// Checks a change and stores the result: the state `validated`, or the findings. Examines unsaved texts in the same way.
import { CommittedRefusal } from '#core/http/guards.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { type AppError, conflict, invalid } from '#core/platform/errors.ts';
import { editableStates } from '../enums.ts';
import { whileEditing } from '../validation/engine/reference-check.ts';
import { baseMoved, basesOf, movedBases } from './bases.ts';
import type { DocumentPlace } from './documents/edit.ts';
import { textOnBase } from './documents/text-of-change.ts';
import { baseTextsOf, lockedChange, requireState, type SentDocument } from './edit.ts';
import { etagOfChange } from './etags.ts';
import {
  type CheckResult,
  mutationScoresOf,
  prepareCheck,
  requireSameRules,
  type TextToCheck,
} from './prepare-check.ts';
import {
  type ChangeDocument,
  type ChangeRow,
  documentsOf,
  nameOfDocument,
  RuleChangeDocument,
  updateChange,
} from './store.ts';

const notOpen = 'A change that is in review or closed is not checked again.';

/** The change that was checked, and the result. */
export interface CheckedChange {
  readonly sha256: string;
  readonly result: CheckResult;
}

/** Undefined when nothing was checked, because the request will be refused. */
export type LastCheck = CheckedChange | undefined;

/** Throws CONFLICT `state` and `empty_change`; `base_moved` is left to `saveCheck`, which stores what follows from it. */
export async function checkOf(
  services: Services,
  trx: Trx,
  change: ChangeRow,
  now: Date,
): Promise<() => Promise<LastCheck>> {
  requireState(change, editableStates, notOpen);
  const documents = await documentsOf(trx, [change.id]);
  requireSomeDocuments(documents);
  if (await movedRefusal(trx, documents, now)) return async () => undefined;
  const check = await prepareCheck(services, trx, documents, whileEditing, now);
  return async () => ({ sha256: change.sha256, result: await check() });
}

/** Throws CONFLICT `state`, `empty_change`, `base_moved` (the change is a draft then), `change_moved` and `rules_moved`. */
export async function saveCheck(services: Services, trx: Trx, row: ChangeRow, checked: LastCheck, now: Date) {
  const change = await lockedChange(trx, row);
  requireState(change, editableStates, notOpen);
  const documents = await documentsOf(trx, [change.id]);
  requireSomeDocuments(documents);
  const refusal = await movedRefusal(trx, documents, now);
  if (refusal) return unchecked(trx, change, refusal, now);
  const result = resultFor(change, checked);
  await requireSameRules(services, trx, result, now);
  const stored = await storeCheck(trx, change, result, now);
  return { ...summary(result), state: stored.state, etag: etagOfChange(stored) };
}

/** The caller holds the lock. */
export async function storeCheck(
  trx: Trx,
  { id }: ChangeRow,
  { valid, findings, level, documents }: CheckResult,
  now: Date,
): Promise<ChangeRow> {
  for (const { family, key, level: own, mutationScore } of documents) {
    await RuleChangeDocument.query(trx).where({ changeId: id, family, key }).update({ level: own, mutationScore });
  }
  return updateChange(trx, id, { state: valid ? 'validated' : 'draft', findings: [...findings], level }, now);
}

const summary = (result: CheckResult) => ({
  valid: result.valid,
  level: result.level,
  findings: [...result.findings],
  mutationScores: mutationScoresOf(result),
});

/** Throws CONFLICT `empty_change`. */
export function requireSomeDocuments(documents: readonly unknown[]): void {
  if (documents.length > 0) return;
  throw conflict('empty_change', 'The change has no document yet.', 'documents');
}

/** Returns the refusal of a change of which a document has another base by now. */
export async function movedRefusal(
  trx: Trx,
  documents: readonly ChangeDocument[],
  now: Date,
): Promise<AppError | undefined> {
  const [moved] = movedBases(documents, await basesOf(trx, documents.map(nameOfDocument), now));
  return moved && baseMoved(moved.base.version, nameOfDocument(moved.document));
}

/** The change is a draft from then on, and the refusal is answered. */
export async function unchecked(trx: Trx, { id }: ChangeRow, refusal: AppError, now: Date): Promise<never> {
  await updateChange(trx, id, { state: 'draft' }, now);
  throw new CommittedRefusal(refusal);
}

/** Throws CONFLICT `change_moved` when the change is another one than the one that was checked. */
export function resultFor({ sha256 }: ChangeRow, checked: LastCheck): CheckResult {
  if (checked?.sha256 === sha256) return checked.result;
  throw conflict('change_moved', 'The change was written meanwhile. Read it again, and try again.', 'etag');
}

/** Returns the check of unsaved texts beside the saved ones of the change. Throws VALIDATION_ERROR for texts of no rule set. */
export async function examination(
  services: Services,
  trx: Trx,
  change: ChangeRow,
  sent: readonly SentDocument[],
  now: Date,
) {
  const saved = await documentsOf(trx, [change.id]);
  const texts = await unsavedTexts(trx, saved, sent, now);
  const others = saved.filter((one) => !texts.some((text) => nameOfDocument(text) === nameOfDocument(one)));
  const check = await prepareCheck(services, trx, [...texts, ...others].sort(byName), whileEditing, now);
  return async () => summary(await check());
}

const byName = (one: DocumentPlace, other: DocumentPlace): number =>
  nameOfDocument(one) < nameOfDocument(other) ? -1 : 1;

async function unsavedTexts(
  trx: Trx,
  saved: readonly ChangeDocument[],
  sent: readonly SentDocument[],
  now: Date,
): Promise<TextToCheck[]> {
  const names = sent.map(nameOfDocument);
  const twice = names.findIndex((name, at) => names.indexOf(name) < at);
  if (twice >= 0) throw invalid(`documents.${twice}.key`, 'is listed twice');
  const present = new Map(saved.map((one) => [nameOfDocument(one), one]));
  const bases = new Map(await basesOf(trx, names, now));
  for (const [name, base] of bases) {
    const one = present.get(name);
    if (one) bases.set(name, { ...base, version: one.baseVersion, newest: one.version - 1 });
  }
  const texts = await baseTextsOf(trx, bases);
  return sent.map((one, at) => {
    const name = nameOfDocument(one);
    const base = bases.get(name);
    if (!base || (base.newest === 0 && !present.has(name))) {
      throw invalid(`documents.${at}.key`, 'is not a rule set of this service');
    }
    const saidBefore = present.get(name);
    const cases = one.cases ?? (saidBefore && casesIn(saidBefore));
    return textOnBase(one, base, texts.get(name), { ...one, ...(cases !== undefined && { cases }) });
  });
}

const casesIn = ({ cases }: ChangeDocument): unknown => (cases === null ? [] : JSON.parse(cases).cases);
