// Texts that people store in the database and others read; every proof includes them. They are read in a transaction
// and checked outside it, possibly in another thread, so rows are plain JSON.
import type { Trx } from '#core/platform/db.ts';
import type { SetName } from './engine/rules.ts';
import type { TextSource } from './engine/texts/served-text.ts';

export interface StoredTexts<Row = unknown> {
  readonly name: string;
  /** Reads the rows in force. */
  read(trx: Trx): Promise<readonly Row[]>;
  /** Pure. */
  served(rows: readonly Row[]): TextSource;
  /** The sets of its readers, for texts without variables: a draft of any other document does not affect them. */
  readonly checkedBy?: readonly SetName[];
}

/** Rows by the name of their kind. */
export type StoredRows = Readonly<Record<string, readonly unknown[]>>;

interface TextOwner {
  readonly storedTexts?: readonly StoredTexts[];
}

const kindsOf = (owners: readonly TextOwner[]): readonly StoredTexts[] =>
  owners.flatMap(({ storedTexts = [] }) => storedTexts);

/** Reads the texts that new texts of these documents may affect; without `drafts`, all. */
export async function readStoredTexts(
  trx: Trx,
  owners: readonly TextOwner[],
  drafts?: readonly string[],
): Promise<StoredRows> {
  const concerned = kindsOf(owners).filter(
    ({ checkedBy }) => drafts === undefined || (checkedBy?.some((name) => drafts.includes(name)) ?? true),
  );
  const read = concerned.map(async (kind) => [kind.name, await kind.read(trx)] as const);
  return Object.fromEntries(await Promise.all(read));
}

/** Returns all texts that capabilities serve: from rules, from code, and from the stored `rows`. */
export const textSources = (
  owners: readonly (TextOwner & { readonly texts?: readonly TextSource[] })[],
  rows: StoredRows,
): readonly TextSource[] => [
  ...owners.flatMap(({ texts = [] }) => texts),
  ...kindsOf(owners).map((kind) => kind.served(rows[kind.name] ?? [])),
];
