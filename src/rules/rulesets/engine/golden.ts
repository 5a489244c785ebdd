// Golden cases: facts with the answer that a person approved. Every later version of the table must give this answer.
import { jsonValidator, shapeOf } from '#core/platform/pure/json-schema.ts';
import type { Table } from './compile.ts';
import { collect, decide } from './decide.ts';
import type { Facts, FactValue } from './document/document.ts';
import { errorFinding, type Finding } from './document/findings.ts';
import { dictionary, text } from './reading/schema-builders.ts';

export interface ExpectedHit {
  readonly ruleId: string;
  readonly outcome: string;
}

/** `expected` is one hit for a first-hit table and the list of all hits for a collect table. */
export interface GoldenCase {
  readonly name: string;
  readonly facts: Facts;
  readonly expected: ExpectedHit | readonly ExpectedHit[];
  /** The reason for which this version may answer an earlier version's case of this name differently. */
  readonly acceptedChange?: string;
}

/** A case of a value document; its content beside the name is defined by the family. */
export interface ValueCase {
  readonly name: string;
  readonly facts?: undefined;
  readonly acceptedChange?: string;
  readonly [member: string]: unknown;
}

/** A case of any document. */
export type AnyCase = GoldenCase | ValueCase;

export const isTableCase = (one: AnyCase): one is GoldenCase => one.facts !== undefined;

const hit = {
  type: 'object',
  additionalProperties: false,
  required: ['ruleId', 'outcome'],
  properties: { ruleId: text, outcome: text },
};
const tableCase = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'facts', 'expected'],
  properties: {
    name: text,
    facts: dictionary('^[a-z][A-Za-z0-9]*$', { type: ['string', 'number', 'boolean'] }),
    expected: { anyOf: [hit, { type: 'array', items: hit }] },
    acceptedChange: text,
  },
};
const valueCase = {
  type: 'object',
  required: ['name'],
  properties: { name: text, acceptedChange: text, facts: false, expected: false },
};
const goldenSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['cases'],
  properties: {
    cases: { type: 'array', items: { anyOf: [tableCase, valueCase] } },
  },
};
/** The content of `<version>.golden.json`. */
export interface GoldenFile {
  readonly cases: readonly AnyCase[];
}

const goldenFile = shapeOf<GoldenFile>(goldenSchema);
const wrongCases = jsonValidator(() => goldenSchema);

/** Returns whether the value is a valid list of cases. */
export const isCaseList = (cases: unknown): cases is readonly AnyCase[] => wrongCases({ cases }).length === 0;

/** Returns the cases of a golden file. Throws RangeError naming `subject` when the text is invalid. */
export function parseGoldenCases(text: string, subject: string): readonly AnyCase[] {
  return goldenFile(JSON.parse(text), subject).cases;
}

/** Returns the text of a golden file, one case a line, facts in the order of the table. */
export function goldenFileText(cases: readonly AnyCase[]): string {
  const lines = cases.map((golden) => `    ${JSON.stringify(golden)}`);
  return `{\n  "cases": [\n${lines.join(',\n')}\n  ]\n}\n`;
}

/** Returns the table's answer to these facts in the form of `expected`. Throws as `decide` does. */
export function answer(table: Table, facts: Facts): ExpectedHit | readonly ExpectedHit[] {
  return table.isFirstHit ? short(decide(table, facts)) : collect(table, facts).map(short);
}

const short = ({ ruleId, outcome }: ExpectedHit): ExpectedHit => ({ ruleId, outcome });

/** Returns the rule ids with their outcomes as text. */
const spelled = (hits: GoldenCase['expected']): string =>
  [hits]
    .flat()
    .map(({ ruleId, outcome }) => `${ruleId} (${outcome})`)
    .join(', ') || 'no rule';

/** Cases that fail for one cause: a different answer, or an error. */
export interface FailedCases {
  readonly finding: Finding;
  /** The failed cases; empty when a case contains no facts of the table. */
  readonly cases: readonly GoldenCase[];
}

/** Returns one CASE_FAILED finding for all cases with the same expected and actual answer. */
export const goldenFindings = (table: Table, cases: readonly AnyCase[]): Finding[] =>
  failedCases(table, cases).map(({ finding }) => finding);

export function failedCases(table: Table, cases: readonly AnyCase[]): FailedCases[] {
  const withoutFacts = cases.filter((one) => !isTableCase(one));
  const byCause = new Map<string, FailureCause>();
  for (const one of cases.filter(isTableCase)) {
    const [wanted, actual] = [spelled(one.expected), answerOrError(table, one.facts)];
    if (wanted === actual) continue;
    const key = `${wanted}\n${actual}`;
    const { failed } = byCause.get(key) ?? { failed: [] };
    byCause.set(key, { expected: wanted, answer: actual, failed: [...failed, one] });
  }
  return [
    ...withoutFacts.map(({ name }) => ({
      finding: errorFinding('CASE_FAILED', 'no_facts', { case: name }),
      cases: [],
    })),
    ...[...byCause.values()].map((cause) => ({ finding: failedFinding(cause), cases: cause.failed })),
  ];
}

/** Maximum number of case names in one message. */
const shownNames = 10;

interface FailureCause {
  readonly expected: string;
  readonly answer: string;
  readonly failed: readonly GoldenCase[];
}

function failedFinding({ expected, answer: given, failed }: FailureCause): Finding {
  const cases = failed.slice(0, shownNames).map(({ name }) => name);
  const [count, more] = [failed.length, failed.length - cases.length];
  const ruleIds = new Set(failed.flatMap((one) => [one.expected].flat().map(({ ruleId }) => ruleId)));
  const args = { expected, answer: given, cases };
  if (more > 0) return errorFinding('CASE_FAILED', 'many_differ', { ...args, count, more }, ...ruleIds);
  if (count > 1) return errorFinding('CASE_FAILED', 'some_differ', { ...args, count }, ...ruleIds);
  return errorFinding('CASE_FAILED', 'one_differs', args, ...ruleIds);
}

function answerOrError(table: Table, facts: Readonly<Record<string, FactValue>>): string {
  try {
    return spelled(answer(table, facts));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
