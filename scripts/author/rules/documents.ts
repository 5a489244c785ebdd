// Finds the documents that a command line names.
import path from 'node:path';
import { capabilities } from '#app/capabilities.ts';
import { documentValidators } from '#rules/rulesets/document-schemas.ts';
import {
  documentName,
  isTable,
  type RuleDocument,
  type TableDocument,
} from '#rules/rulesets/engine/document/document.ts';
import { type LoadedRule, loadRules } from '#rules/rulesets/files.ts';

export const rulesDir = path.resolve(import.meta.dirname, '../../../rules');

export interface LoadedTable extends LoadedRule {
  readonly document: TableDocument;
}

/** Returns the document `family/key@2`, or the newest version of `family/key`. */
export const findRule = async (name: string): Promise<LoadedRule | undefined> =>
  pick(await loadRules(rulesDir, documentValidators(capabilities)), name);

/** Returns the named tables, or the newest version of all. Throws Error for a name that is no decision table. */
export async function findTables(names: readonly string[]): Promise<readonly LoadedTable[]> {
  const loaded = await loadRules(rulesDir, documentValidators(capabilities));
  if (names.length > 0) return names.map((name) => asTable(pick(loaded, name), name));
  return newestOf(loaded).filter(isLoadedTable);
}

/** Returns the newest version of every decision table. */
export const newestTables = async (): Promise<readonly TableDocument[]> =>
  newestOf(await loadRules(rulesDir, documentValidators(capabilities)))
    .filter(isLoadedTable)
    .map(({ document }) => document);

export function asTable(rule: LoadedRule | undefined, name: string): LoadedTable {
  if (!rule || !isLoadedTable(rule)) throw new Error(`there is no decision table ${name}`);
  return rule;
}

const isLoadedTable = (rule: LoadedRule): rule is LoadedTable => isTable(rule.document);

/** Returns the newest version of every document. */
export function newestOf(loaded: readonly LoadedRule[]): readonly LoadedRule[] {
  const names = new Set(loaded.map(({ document }) => documentName(document)));
  return [...names].flatMap((name) => pick(loaded, name) ?? []);
}

function pick(loaded: readonly LoadedRule[], name: string): LoadedRule | undefined {
  const [wanted, version] = name.split('@');
  const versionOf = ({ document }: { readonly document: RuleDocument }) => document.meta.version;
  return loaded
    .filter(({ document }) => documentName(document) === wanted)
    .filter((rule) => version === undefined || versionOf(rule) === Number(version))
    .toSorted((left, right) => versionOf(right) - versionOf(left))[0];
}
