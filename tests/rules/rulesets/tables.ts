// Tables for tests of rule sets: the fixture, small generated ones, and the shipped ones.
import fs from 'node:fs';
import path from 'node:path';
import { compileTable, type Table } from '#rules/rulesets/engine/compile.ts';
import {
  type FactSpec,
  isTable,
  type RootCondition,
  type TableDocument,
} from '#rules/rulesets/engine/document/document.ts';
import { type GoldenCase, isTableCase } from '#rules/rulesets/engine/golden.ts';
import { parseTable } from '#rules/rulesets/engine/reading/parse.ts';
import { type LoadedRule, loadRules } from '#rules/rulesets/files.ts';
import { validators } from './document-schemas.ts';

export const rulesDir = path.resolve(import.meta.dirname, '../../../rules');

export const miniText = (): string => fs.readFileSync(path.join(import.meta.dirname, 'pac-mini.json'), 'utf8');

export const mini = (): TableDocument => parseTable(miniText(), validators);

/** A table with one outcome per rule, named like the rule in lower case; rules are T-01, T-02, … */
export function smallTable(
  facts: Readonly<Record<string, FactSpec>>,
  conditions: readonly RootCondition[],
  hitPolicy: 'first' | 'collect' = 'first',
): TableDocument {
  const names = conditions.map((_, row) => `T-${String(row + 1).padStart(2, '0')}`);
  return {
    meta: { family: 'fixture', key: 'small', version: 1, hitPolicy, vocabulary: 'v', title: { ar: 'ج', en: 't' } },
    facts,
    outcomes: { order: names.map((name) => name.toLowerCase()), unordered: [] },
    rules: conditions.map((condition, row) => ({
      name: names[row] ?? '',
      priority: 10 * (conditions.length - row),
      rationale: 'made for a test',
      conditions: condition,
      event: { type: 'decision', params: { outcome: (names[row] ?? '').toLowerCase() } },
    })),
  };
}

export interface ShippedTable extends LoadedRule {
  readonly document: TableDocument;
  readonly cases: readonly GoldenCase[];
  readonly table: Table;
}

/** Every decision table under rules/, all versions. */
export async function shippedTables(): Promise<ShippedTable[]> {
  const loaded = await loadRules(rulesDir);
  return loaded.flatMap((rule) => {
    const { document } = rule;
    if (!isTable(document)) return [];
    const cases = rule.cases.filter(isTableCase);
    return [{ ...rule, document, cases, table: compileTable(document) }];
  });
}
