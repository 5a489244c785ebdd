// Where a run that was executed again differs from what it left behind, by name: `result`, `run.halted`,
// `skills.LK_SOUND.status`, `codes.<session>/<item>.code`. Pure.
import { isDeepStrictEqual } from 'node:util';
import { canonicalJson } from '../../platform/pure/canonical-json.ts';
import type { StudentEvaluation } from '../engine/evaluate.ts';
import { resultHash } from '../evaluate-run.ts';
import { isEvaluated } from '../results/rows.ts';
import type { RunInput, RunRow } from '../results/tables.ts';
import { derivedRows, type RunRows } from './rows.ts';

/** In the order: result, run, codes, skills, domains, tiles. */
export function resultDifferences(run: RunRow, stored: RunRows, evaluation: StudentEvaluation): string[] {
  const derived = derivedRows(run, evaluation, stored);
  return [
    ...(resultHash(run.id, evaluation) === run.resultHash ? [] : ['result']),
    ...columns('run', summaryOf(run), summaryAgain(evaluation)),
    ...tableDifferences('codes', stored.codes, derived.codes, ({ responseRef }) => responseRef),
    ...tableDifferences('skills', stored.skills, derived.skills, ({ subSkillCode }) => subSkillCode),
    ...tableDifferences('domains', stored.domains, derived.domains, ({ domainCode }) => domainCode),
    ...tableDifferences('tiles', stored.tiles, derived.tiles, ({ tileCode }) => tileCode),
  ];
}

/** Which parts of two inputs differ. */
export const inputDifferences = (stored: RunInput, again: RunInput): string[] =>
  (['sessions', 'responses'] as const)
    .filter((part) => canonicalJson(stored[part]) !== canonicalJson(again[part]))
    .map((part) => `input.${part}`);

const summaryOf = ({ outcome, halted, nextDataAction, evaluatedSubSkills }: RunRow) => ({
  outcome,
  halted,
  nextDataAction,
  evaluatedSubSkills,
});

const summaryAgain = ({ outcome, halted, nextRecommendedDataAction, subSkills }: StudentEvaluation) => ({
  outcome,
  halted,
  nextDataAction: nextRecommendedDataAction,
  evaluatedSubSkills: subSkills.filter(isEvaluated).map(({ subSkill }) => subSkill.code),
});

/** A row that only one side has is named without a column. Several rows of one key are told apart by their place. */
function tableDifferences<Row extends object>(
  table: string,
  stored: readonly Row[],
  derived: readonly Row[],
  keyOf: (row: Row) => string,
): string[] {
  const before = byKey(stored, keyOf);
  const after = byKey(derived, keyOf);
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [left, right] = [before.get(key), after.get(key)];
    const name = `${table}.${key}`;
    return left && right ? columns(name, left, right) : [name];
  });
}

function byKey<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Row> {
  const found = new Map<string, Row>();
  for (const row of rows) {
    const key = keyOf(row);
    found.set(found.has(key) ? `${key}#${found.size}` : key, row);
  }
  return found;
}

/** What is not equal value for value may still be the same text: texts decide. */
function columns(name: string, stored: object, derived: object): string[] {
  if (isDeepStrictEqual(stored, derived)) return [];
  const [before, after] = [new Map(Object.entries(stored)), new Map(Object.entries(derived))];
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((column) => canonicalJson(before.get(column) ?? null) !== canonicalJson(after.get(column) ?? null))
    .map((column) => `${name}.${column}`);
}
