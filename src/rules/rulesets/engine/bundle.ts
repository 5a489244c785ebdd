// A bundle: the pinned set of documents of one evaluation, which its stamp names.
import { compileTable, type Observe, type Table } from './compile.ts';
import {
  type DocumentName,
  documentName,
  type FactValue,
  isTable,
  type RuleDocument,
  type TableDocument,
} from './document/document.ts';

export interface RuleBundle {
  /** `family/key` → version, for the stamp. */
  readonly versions: Readonly<Record<DocumentName, number>>;
  readonly documents: readonly RuleDocument[];
  /** Returns the compiled decision table. Throws BundleError when the bundle has no such table. */
  table(name: DocumentName): Table;
  /** Returns the value document, its constants under `constants`. Throws BundleError when there is none. */
  values<T>(name: DocumentName): T;
}

/** Documents that contradict each other, or a missing document. */
export class BundleError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BundleError';
  }
}

/**
 * Pins one version of each document; `observe` receives every decision made with it. Throws BundleError for two
 * versions of one document or a constant with two values.
 */
export function pinBundle(documents: readonly RuleDocument[], observe?: Observe): RuleBundle {
  const byName = new Map<DocumentName, RuleDocument>();
  for (const document of documents) {
    const name = documentName(document);
    if (byName.has(name)) throw new BundleError(`two versions of ${name} in one bundle`);
    byName.set(name, document);
  }
  assertSharedConstants(documents);
  const tables = new Map<DocumentName, Table>();
  return {
    versions: Object.freeze(Object.fromEntries([...byName].map(([name, { meta }]) => [name, meta.version]))),
    documents,
    table: (name) => compiled(name, byName, tables, observe),
    values: <T>(name: DocumentName) => valueDocument(name, byName) as T,
  };
}

/** Returns `compile` with its result cached per bundle, since bundles never change. Errors are not cached. */
export function oncePerBundle<Compiled extends object>(
  compile: (bundle: RuleBundle) => Compiled,
): (bundle: RuleBundle) => Compiled {
  const compiled = new WeakMap<RuleBundle, Compiled>();
  return (bundle) => {
    const known = compiled.get(bundle);
    if (known) return known;
    const made = compile(bundle);
    compiled.set(bundle, made);
    return made;
  };
}

/** Tables are compiled on first use: a bundle pins all families, and a caller reads a few. */
function compiled(
  name: DocumentName,
  documents: ReadonlyMap<DocumentName, RuleDocument>,
  tables: Map<DocumentName, Table>,
  observe: Observe | undefined,
): Table {
  const known = tables.get(name);
  if (known) return known;
  const document = documents.get(name);
  if (!document || !isTable(document)) throw new BundleError(`the bundle has no decision table ${name}`);
  const table = observe ? compileTable(document, observe) : compiledOnce(document);
  tables.set(name, table);
  return table;
}

/** A document in several bundles is compiled once. */
function compiledOnce(document: TableDocument): Table {
  const table = shared.get(document) ?? compileTable(document);
  shared.set(document, table);
  return table;
}

const shared = new WeakMap<TableDocument, Table>();

/** Returns the bundle with these documents replacing its own versions. Throws as `pinBundle` does. */
export function overlaid(bundle: RuleBundle, documents: readonly RuleDocument[], observe?: Observe): RuleBundle {
  const replaced = new Set(documents.map(documentName));
  return pinBundle([...bundle.documents.filter((one) => !replaced.has(documentName(one))), ...documents], observe);
}

function valueDocument(name: DocumentName, documents: ReadonlyMap<DocumentName, RuleDocument>): unknown {
  const document = documents.get(name);
  if (!document || isTable(document)) throw new BundleError(`the bundle has no value document ${name}`);
  return document;
}

/** A threshold that several tables quote must be one number. */
function assertSharedConstants(documents: readonly RuleDocument[]): void {
  const seen = new Map<string, { readonly value: FactValue; readonly name: DocumentName }>();
  for (const document of documents) {
    for (const [id, { value }] of Object.entries(document.constants ?? {})) {
      const first = seen.get(id);
      if (first && first.value !== value) {
        const name = documentName(document);
        throw new BundleError(`constant ${id} is ${first.value} in ${first.name} and ${value} in ${name}`);
      }
      seen.set(id, first ?? { value, name: documentName(document) });
    }
  }
}
