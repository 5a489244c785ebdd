// What a change says otherwise than the versions in force, or than those that its texts start from.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { type DocumentName, documentName, type RuleDocument } from '#rules/rulesets/index.ts';
import { runInWorker } from '../analysis-worker.ts';
import type { TextDifference } from '../validation/compare.ts';
import { baseIdOf, versionTexts } from './bases.ts';
import { largestLevel } from './prepare-check.ts';
import { type ChangeDocument, type ChangeRow, changeDocumentOf, documentsOf, nameOfDocument } from './store.ts';

export type Against = 'active' | 'base';

/** Where no version is in force, the base stands for it; a first version is compared with nothing. */
export async function differenceOf(
  { rules }: Pick<Services, 'rules'>,
  trx: Trx,
  change: ChangeRow,
  against: Against,
  now: Date,
) {
  const documents = await documentsOf(trx, [change.id]);
  const inForce = new Map((await rules.at(trx, now)).rules.documents.map((one) => [documentName(one), one]));
  const bases = await versionTexts(trx, documents.map(baseIdOf));
  const beforeOf = (document: ChangeDocument): RuleDocument | undefined => {
    const base = bases.get(baseIdOf(document));
    const active = against === 'active' ? inForce.get(nameOfDocument(document)) : undefined;
    return active ?? (base && changeDocumentOf(base));
  };
  const compared = documents.flatMap((document) => {
    const before = beforeOf(document);
    return before ? [{ name: nameOfDocument(document), before, text: document.document }] : [];
  });
  return async () => {
    const differences = await runInWorker('diff', { texts: compared });
    const isFirst = compared.length < documents.length;
    return {
      level: isFirst ? ('major' as const) : (largestLevel(differences.map(({ level }) => level)) ?? ('patch' as const)),
      constants: constantsOf(compared.map(({ name }, at) => ({ name, difference: differences[at] }))),
      documents: [...differences],
    };
  };
}

interface NamedDifference {
  readonly name: DocumentName;
  readonly difference: TextDifference | undefined;
}

/** A constant is listed once for all documents that change it alike. */
function constantsOf(differences: readonly NamedDifference[]) {
  return groupedConstants(
    differences.flatMap(({ name, difference }) =>
      (difference?.constants ?? []).map(({ name: id, before, after }) => ({
        document: name,
        id,
        before: before?.value ?? null,
        after: after?.value ?? null,
      })),
    ),
  );
}

type ConstantSide = string | number | boolean | null;

interface ConstantOfDocument {
  readonly document: string;
  readonly id: string;
  readonly before: ConstantSide;
  readonly after: ConstantSide;
}

/** Returns the constants by id, with the documents that give them these values. */
export function groupedConstants(changes: readonly ConstantOfDocument[]) {
  const groups = new Map<string, { id: string; before: ConstantSide; after: ConstantSide; documents: string[] }>();
  for (const { document, ...constant } of changes) {
    if (constant.before === constant.after) continue;
    const key = JSON.stringify(constant);
    const group = groups.get(key) ?? { ...constant, documents: [] };
    group.documents.push(document);
    groups.set(key, group);
  }
  return [...groups.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
}
