// The questions that the evaluation of many students puts to the tables of the rules in force, each kept once: most students ask
// what others asked. Under a proposed table each question is asked once, which shows whose answers cannot change.
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import {
  collect,
  type Decision,
  type DocumentName,
  decide,
  FactError,
  type Facts,
  NoDecisionError,
  type RuleBundle,
  type Table,
} from '#rules/rulesets/engine/index.ts';

export interface AskedQuestion {
  readonly table: DocumentName;
  readonly facts: Facts;
  readonly hits: readonly Decision[];
}

export class AskedQuestions {
  readonly #numbers = new Map<string, number>();
  readonly #questions: AskedQuestion[] = [];

  /** Returns the number of the question, equal for equal facts. */
  numberOf(table: Pick<Table, 'name'>, facts: Facts, hits: readonly Decision[]): number {
    let key: string = table.name;
    for (const name in facts) key += `\n${facts[name]}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#questions.push({ table: table.name, facts, hits });
    this.#numbers.set(key, this.#questions.length - 1);
    return this.#questions.length - 1;
  }

  at(number: number): AskedQuestion {
    const question = this.#questions[number];
    if (!question) throw new RangeError(`there is no question ${number}`);
    return question;
  }

  get size(): number {
    return this.#questions.length;
  }
}

interface RegionSide {
  readonly ruleId: string;
  readonly outcome: string;
}

/** A part of the space of a table that is answered in another way; null where no rule answers. */
export interface AskedRegion {
  readonly name: DocumentName;
  readonly before: RegionSide | null;
  readonly after: RegionSide | null;
}

/** What proposed tables answer to a question, beside what those in force do. */
interface Verdict {
  readonly isSame: boolean;
  readonly regions: readonly number[];
}

const sameAnswer: Verdict = { isSame: true, regions: [] };

/** The answers of proposed tables to the questions, found when they are needed. */
export class ProposedAnswers {
  readonly #tables: ReadonlyMap<DocumentName, Table>;
  readonly #verdicts: (Verdict | undefined)[] = [];
  readonly #numbers = new Map<string, number>();
  readonly regions: AskedRegion[] = [];

  /** `changed`: names of the tables that the proposed rules replace. */
  constructor(proposed: RuleBundle, changed: readonly DocumentName[]) {
    this.#tables = new Map(changed.map((name) => [name, proposed.table(name)]));
  }

  verdictOn(questions: AskedQuestions, number: number): Verdict {
    const known = this.#verdicts[number];
    if (known) return known;
    const verdict = this.#compare(questions.at(number));
    this.#verdicts[number] = verdict;
    return verdict;
  }

  #compare({ table: name, facts, hits }: AskedQuestion): Verdict {
    const table = this.#tables.get(name);
    if (!table) return sameAnswer;
    const answers = answersOf(table, facts);
    if (canonicalJson(answers.map(actedPart)) === canonicalJson(hits.map(actedPart))) return sameAnswer;
    const pairs = table.isFirstHit ? [[hits[0], answers[0]] as const] : collectedPairs(hits, answers);
    const changed = pairs.filter(([before, after]) => decidedPart(before) !== decidedPart(after));
    return { isSame: false, regions: changed.map(([before, after]) => this.#regionOf(name, before, after)) };
  }

  #regionOf(name: DocumentName, before: Decision | undefined, after: Decision | undefined): number {
    const region: AskedRegion = { name, before: sideOf(before), after: sideOf(after) };
    const key = canonicalJson(region);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.regions.push(region);
    this.#numbers.set(key, this.regions.length - 1);
    return this.regions.length - 1;
  }
}

/** No answers where the facts do not fit the table, or where it has a gap: whether it is asked at all, the evaluation shows. */
function answersOf(table: Table, facts: Facts): readonly Decision[] {
  try {
    return table.isFirstHit ? [decide(table, facts)] : collect(table, facts);
  } catch (error) {
    if (error instanceof FactError || error instanceof NoDecisionError) return [];
    throw error;
  }
}

type Pair = readonly [Decision | undefined, Decision | undefined];

/** In a collect table each rule counts for itself. */
function collectedPairs(hits: readonly Decision[], answers: readonly Decision[]): Pair[] {
  const lost = hits.filter((hit) => !answers.some((one) => decidedPart(one) === decidedPart(hit)));
  const won = answers.filter((one) => !hits.some((hit) => decidedPart(one) === decidedPart(hit)));
  return [...lost.map((hit): Pair => [hit, undefined]), ...won.map((one): Pair => [undefined, one])];
}

/** All that the engine acts on: everything but the text. */
function decidedPart(decision: Decision | undefined): string {
  if (!decision) return '';
  const { messageKey: _text, ...acted } = decision.params;
  return canonicalJson(acted);
}

const actedPart = (decision: Decision) => ({ ruleId: decision.ruleId, acted: decidedPart(decision) });

const sideOf = (decision: Decision | undefined): RegionSide | null =>
  decision ? { ruleId: decision.ruleId, outcome: decision.outcome } : null;
