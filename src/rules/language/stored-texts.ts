// Texts that people keep in the database and that others read: part of every proof. They are read where a transaction is
// open and judged where there is none, in another thread perhaps; so rows are plain JSON.
import type { Trx } from '#core/platform/db.ts';
import type { SetName } from './engine/rules.ts';
import type { TextSource } from './engine/texts/served-text.ts';

export interface StoredTexts<Row = unknown> {
  readonly name: string;
  /** Those in force. */
  read(trx: Trx): Promise<readonly Row[]>;
  /** Pure. */
  served(rows: readonly Row[]): TextSource;
  /** The sets of its readers, where texts have no variables: a draft of any other document changes nothing about them. */
  readonly judgedBy?: readonly SetName[];
}

/** By the name of their kind. */
export type StoredRows = Readonly<Record<string, readonly unknown[]>>;

interface TextOwner {
  readonly storedTexts?: readonly StoredTexts[];
}

const kindsOf = (owners: readonly TextOwner[]): readonly StoredTexts[] =>
  owners.flatMap(({ storedTexts = [] }) => storedTexts);

/** Those that a draft of this document may change the verdict on; default: all. */
export async function readStoredTexts(trx: Trx, owners: readonly TextOwner[], draft?: string): Promise<StoredRows> {
  const concerned = kindsOf(owners).filter(
    ({ judgedBy }) => draft === undefined || (judgedBy?.some((name) => name === draft) ?? true),
  );
  const read = concerned.map(async (kind) => [kind.name, await kind.read(trx)] as const);
  return Object.fromEntries(await Promise.all(read));
}

/** Everything that capabilities serve: out of rules and code, and what `rows` hold. */
export const textSources = (
  owners: readonly (TextOwner & { readonly texts?: readonly TextSource[] })[],
  rows: StoredRows,
): readonly TextSource[] => [
  ...owners.flatMap(({ texts = [] }) => texts),
  ...kindsOf(owners).map((kind) => kind.served(rows[kind.name] ?? [])),
];
