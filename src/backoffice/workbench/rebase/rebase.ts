// Brings the texts of a change onto the bases of now: shows what moved and what people have to decide, then merges.
import type { Trx } from '#core/platform/db.ts';
import { conflict, invalid } from '#core/platform/errors.ts';
import { runInWorker } from '../analysis-worker.ts';
import { baseIdOf, basesOf, movedBases, versionTexts } from '../changes/bases.ts';
import { textOnBase } from '../changes/documents/text-of-change.ts';
import { type ChangeWriting, lockedChange, notEditable, reopen, requireState, settled } from '../changes/edit.ts';
import { etagOfChange, requireIfMatch, requireSeen } from '../changes/etags.ts';
import { type ChangeRow, documentsOf, nameOfDocument, rewriteDocument } from '../changes/store.ts';
import { editableStates } from '../enums.ts';
import type { MergeConflict, Side } from './engine/three-way.ts';
import type { RebaseQuestion } from './question.ts';

export interface Taken {
  readonly family: string;
  readonly key: string;
  readonly path: string;
  readonly side: Side;
}

type Moved = ReturnType<typeof movedBases>[number];

interface Preparation {
  readonly sha256: string;
  readonly moved: readonly Moved[];
  readonly question: RebaseQuestion;
}

async function preparation(trx: Trx, change: ChangeRow, take: readonly Taken[], now: Date): Promise<Preparation> {
  const documents = await documentsOf(trx, [change.id]);
  const moved = movedBases(documents, await basesOf(trx, documents.map(nameOfDocument), now));
  const idNow = ({ document, base }: Moved) => `${nameOfDocument(document)}@${base.version}`;
  const texts = await versionTexts(trx, [...moved.map(({ document }) => baseIdOf(document)), ...moved.map(idNow)]);
  const asked = moved.map((one) => ({
    base: texts.get(baseIdOf(one.document)) ?? null,
    theirs: texts.get(idNow(one)) ?? null,
    mine: { document: one.document.document, cases: one.document.cases },
    version: one.base.newest + 1,
    sides: take
      .filter((taken) => nameOfDocument(taken) === nameOfDocument(one.document))
      .map(({ path, side }) => [path, side] as const),
  }));
  return { sha256: change.sha256, moved, question: { texts: asked } };
}

/** Returns what moved, and the conflicts. */
export async function rebaseView(trx: Trx, change: ChangeRow, now: Date) {
  const { moved, question } = await preparation(trx, change, [], now);
  return async () => {
    const merged = await runInWorker('rebase', question);
    return {
      moves: moved.map(({ document: { family, key, baseVersion }, base }) => ({
        family,
        key,
        from: baseVersion,
        to: base.version,
      })),
      conflicts: merged.flatMap(({ conflicts }, at) =>
        conflicts.map((one: MergeConflict) => ({ ...placeOf(moved[at]), ...one })),
      ),
    };
  };
}

const placeOf = (moved: Moved | undefined) => ({
  family: moved?.document.family ?? '',
  key: moved?.document.key ?? '',
});

/** The merged texts, and what they were made of. */
export interface PreparedRebase extends Preparation {
  readonly merged: readonly { readonly document: object; readonly cases: readonly object[] }[];
}

/** Returns the merge, to be run when the transaction has ended. It throws CONFLICT `conflict_open`, VALIDATION_ERROR for no conflict. */
export async function prepareRebase(trx: Trx, change: ChangeRow, take: readonly Taken[], now: Date) {
  const prepared = await preparation(trx, change, take, now);
  return async (): Promise<PreparedRebase> => {
    const merged = await runInWorker('rebase', prepared.question);
    const known = new Set(
      merged.flatMap(({ paths }, at) =>
        paths.map((path: string) => `${nameOfDocument(placeOf(prepared.moved[at]))} ${path}`),
      ),
    );
    const other = take.findIndex((one) => !known.has(`${nameOfDocument(one)} ${one.path}`));
    if (other >= 0) throw invalid(`take.${other}.path`, 'is no conflict');
    return { ...prepared, merged: merged.map((one) => openRefused(one)) };
  };
}

function openRefused({
  conflicts,
  text,
}: {
  readonly conflicts: readonly MergeConflict[];
  readonly text: { readonly document: object; readonly cases: readonly object[] };
}) {
  if (conflicts.length === 0) return text;
  throw conflict(
    'conflict_open',
    'Both sides have changed the same place: say which side is taken.',
    conflicts[0]?.path,
  );
}

/** Stores the merged texts. Throws PRECONDITION_FAILED, CONFLICT `state`, `change_moved` and `rules_moved`. */
export async function rebaseChange(
  trx: Trx,
  row: ChangeRow,
  { sha256, moved, merged }: PreparedRebase,
  ifMatch: string | undefined,
  writing: ChangeWriting,
): Promise<ChangeRow> {
  requireIfMatch(ifMatch);
  const change = await lockedChange(trx, row);
  requireSeen(etagOfChange(change), ifMatch);
  requireState(change, editableStates, notEditable);
  if (change.sha256 !== sha256) throw conflict('change_moved', 'The change was written meanwhile. Try again.');
  const documents = await documentsOf(trx, [change.id]);
  const bases = await basesOf(trx, documents.map(nameOfDocument), writing.now);
  const movedNow = movedBases(documents, bases);
  if (versionsIn(movedNow) !== versionsIn(moved))
    throw conflict('rules_moved', 'Another version was published. Try again.');
  if (moved.length === 0) return change;
  const texts = await versionTexts(
    trx,
    moved.map(({ document, base }) => `${nameOfDocument(document)}@${base.version}`),
  );
  await reopen(trx, change, writing);
  for (const [at, { document, base }] of moved.entries()) {
    const text = texts.get(`${nameOfDocument(document)}@${base.version}`);
    const { family, key } = document;
    const row = textOnBase({ family, key }, base, text, { ...merged[at] });
    await rewriteDocument(trx, change.id, row);
  }
  return settled(trx, change, writing.now);
}

const versionsIn = (moved: readonly Moved[]): string =>
  moved.map(({ document, base }) => `${nameOfDocument(document)}@${base.version}/${base.newest}`).join(' ');
