// Names the differences between a replay and the stored rows: `result`, `run.halted`, `skills.LK_SOUND.status`,
// `codes.<session>/<item>.code`. Pure.
import { isSameJson } from '#core/platform/pure/same-json.ts';
import type { StudentEvaluation } from '../engine/evaluate.ts';
import { resultHash } from '../evaluate-run.ts';
import { codeColumns, isEvaluated, runTilesOf } from '../results/rows.ts';
import type { RunHead, RunInput } from '../results/tables.ts';
import { derivedRows, type RunRows } from './rows.ts';
import { isAsWritten, type WrittenRows } from './written.ts';

/** Returns whether the texts of the rows are equal to the replay; false when only the columns can tell. */
export const isSound = (run: RunHead, written: WrittenRows, evaluation: StudentEvaluation): boolean =>
  resultHash(run.id, evaluation) === run.resultHash &&
  isSameJson(summaryOf(run), replayedSummary(evaluation)) &&
  isSameJson(codesOf(run), codeColumns(evaluation)) &&
  isSameJson(run.tiles, runTilesOf(evaluation)) &&
  isAsWritten(run, written, evaluation);

/** Returns the differences in the order: result, run, codes, skills, domains, tiles. */
export function resultDifferences(run: RunHead, stored: RunRows, evaluation: StudentEvaluation): string[] {
  const derived = derivedRows(run, evaluation, stored);
  return [
    ...(resultHash(run.id, evaluation) === run.resultHash ? [] : ['result']),
    ...columns('run', summaryOf(run), replayedSummary(evaluation)),
    ...codeDifferences(run, evaluation),
    ...tableDifferences('skills', stored.skills, derived.skills, ({ subSkillCode }) => subSkillCode),
    ...tableDifferences('domains', stored.domains, derived.domains, ({ domainCode }) => domainCode),
    ...tableDifferences('tiles', run.tiles, runTilesOf(evaluation), ({ tileCode }) => tileCode),
  ];
}

/** Returns the parts in which two inputs differ. */
export const inputDifferences = (stored: RunInput, again: RunInput): string[] =>
  (['sessions', 'responses'] as const)
    .filter((part) => !isSameJson(stored[part], again[part]))
    .map((part) => `input.${part}`);

const summaryOf = ({ outcome, halted, nextDataAction, evaluatedSubSkills }: RunHead) => ({
  outcome,
  halted,
  nextDataAction,
  evaluatedSubSkills,
});

const codesOf = ({ responseRuleIds, responseCodes }: RunHead) => ({ responseRuleIds, responseCodes });

const replayedSummary = ({ outcome, halted, nextRecommendedDataAction, subSkills }: StudentEvaluation) => ({
  outcome,
  halted,
  nextDataAction: nextRecommendedDataAction,
  evaluatedSubSkills: subSkills.filter(isEvaluated).map(({ subSkill }) => subSkill.code),
});

/** Returns differences of response codes; a response with a code on one side only is named without a column. */
function codeDifferences(run: RunHead, evaluation: StudentEvaluation): string[] {
  const again = codeColumns(evaluation);
  const most = Math.max(run.responseCodes.length, run.responseRuleIds.length, evaluation.coded.length);
  return Array.from({ length: most }, (_, at) => at).flatMap((at) => {
    const isRule = run.responseRuleIds[at] === again.responseRuleIds[at];
    const isCode = run.responseCodes[at] === again.responseCodes[at];
    if (isRule && isCode) return [];
    const response = evaluation.coded[at]?.response;
    const name = response ? `codes.${response.sessionId}/${response.itemId}` : `codes.${at}`;
    if (!response || run.responseCodes[at] === undefined) return [name];
    return [...(isRule ? [] : [`${name}.ruleId`]), ...(isCode ? [] : [`${name}.code`])];
  });
}

/**
 * Returns differences of rows; a row on one side only is named without a column. Several rows of one key are matched by
 * position.
 */
function tableDifferences<Row extends object>(
  table: string,
  stored: readonly Row[],
  derived: readonly Row[],
  keyOf: (row: Row) => string,
): string[] {
  const before = byKey(stored, keyOf);
  const after = byKey(derived, keyOf);
  const names = columnsOf(stored[0], derived[0]);
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [left, right] = [before.get(key), after.get(key)];
    const name = `${table}.${key}`;
    return left && right ? columns(name, left, right, names) : [name];
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

function columns(
  name: string,
  stored: object,
  derived: object,
  names: readonly string[] = columnsOf(stored, derived),
): string[] {
  const differing: string[] = [];
  for (const column of names) {
    const [one, other] = [Reflect.get(stored, column), Reflect.get(derived, column)];
    if (one !== other && !isSameJson(one ?? null, other ?? null)) differing.push(`${name}.${column}`);
  }
  return differing;
}

/** Returns the columns; all rows of a table have equal columns. */
const columnsOf = (stored: object = {}, derived: object = {}): string[] => [
  ...Object.keys(stored),
  ...Object.keys(derived).filter((column) => !(column in stored)),
];
