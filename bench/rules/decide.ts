// One evaluation, by an engine with typed facts and with facts that are validated by name, against unmodified json-rules-engine
// and @gorules/zen-engine, on the table of sub-skill statuses, over one member of every possible cell.
import { Engine, type RuleProperties } from 'json-rules-engine';
import { ssrFacts } from '../../src/assessment/skill-status/engine/skills/typed-facts.ts';
import { cellsOf } from '../../src/rules/rulesets/engine/boundaries/cells.ts';
import { askReferenceEngine } from '../../src/rules/rulesets/engine/reference-engine.ts';
import { decide, type Facts, firstHit, loadNewestBundle, type Table } from '../../src/rules/rulesets/index.ts';
import { assertEqual, type Contender, sideBySide, type Timings } from '../harness/measure.ts';
import { loadZen, type ZenDecision } from '../harness/peers.ts';
import { duration, type Section, times } from '../harness/report.ts';
import { zenTable } from './zen-table.ts';

/** Passes over all cells in one timing, because one takes microseconds. */
const passes = 40;

const typedName = 'from an engine, typed facts';
const checkedName = 'decide(), facts checked by name';

interface Asked extends Contender {
  /** Returns the deciding rule of every cell, in order. */
  answers(): Promise<readonly string[]>;
}

export async function benchDecide(): Promise<Section> {
  const bundle = await loadNewestBundle('rules');
  const table = bundle.table('ssr/ssr');
  const cells = [...cellsOf(table)];
  const { ZenEngine } = loadZen();
  const zen = new ZenEngine();
  const decision = (mode: 'single' | 'loop') => zen.createDecision(zenTable(table.document, mode));
  const contenders = [
    ...ours(table, cells),
    ...stock(table, cells),
    ...zens(decision('single'), decision('loop'), cells),
  ];
  const [own, ...others] = contenders;
  const expected = (await own?.answers()) ?? [];
  for (const other of others) assertEqual(other.name, await other.answers(), expected);
  const section = report(contenders, await sideBySide(contenders, 9), cells.length);
  zen.dispose();
  return section;
}

function ours(table: Table, cells: readonly Facts[]): Asked[] {
  const typed = firstHit(table, ssrFacts, ({ ruleId }) => ruleId);
  // One function for each, so that neither is slower because the compiler has optimized the loop for the other.
  const typedLoop = () => {
    let letters = 0;
    for (let pass = 0; pass < passes; pass++)
      for (const facts of cells) letters += typed(facts as Parameters<typeof typed>[0]).length;
    return letters;
  };
  const checkedLoop = () => {
    let letters = 0;
    for (let pass = 0; pass < passes; pass++) for (const facts of cells) letters += decide(table, facts).ruleId.length;
    return letters;
  };
  const operations = cells.length * passes;
  const typedAnswers = async () => cells.map((facts) => typed(facts as Parameters<typeof typed>[0]));
  const checkedAnswers = async () => cells.map((facts) => decide(table, facts).ruleId);
  return [
    { name: typedName, operations, answers: typedAnswers, run: typedLoop },
    { name: checkedName, operations, answers: checkedAnswers, run: checkedLoop },
  ];
}

function stock(table: Table, cells: readonly Facts[]): Asked[] {
  const shared = new Engine(table.document.rules as unknown as RuleProperties[]);
  const askShared = async (facts: Facts) => {
    const { results } = await shared.run(facts);
    return results.reduce((first, next) => ((next.priority ?? 0) > (first.priority ?? 0) ? next : first)).name;
  };
  const askFresh = async (facts: Facts) => (await askReferenceEngine(table.document, facts))[0]?.ruleId;
  return [
    oneByOne('json-rules-engine, a fresh Engine a run', cells, askFresh),
    oneByOne('json-rules-engine, one shared Engine', cells, askShared),
  ];
}

function zens(single: ZenDecision, loop: ZenDecision, cells: readonly Facts[]): Asked[] {
  const askSingle = async (facts: Facts) => ((await single.evaluate(facts)).result as { ruleId: string }).ruleId;
  const askAll = async (context: object) =>
    ((await loop.evaluate(context)).result as { answers: { ruleId: string }[] }).answers.map(({ ruleId }) => ruleId);
  const atOnce = () => Promise.all(cells.map(askSingle));
  const inOneCall = () => askAll({ facts: cells });
  const operations = cells.length;
  return [
    oneByOne('zen-engine, one evaluate after the other', cells, askSingle),
    { name: 'zen-engine, all evaluates at once', operations, answers: atOnce, run: atOnce },
    { name: 'zen-engine, all cells in one looping call', operations, answers: inOneCall, run: inOneCall },
  ];
}

function oneByOne(name: string, cells: readonly Facts[], ask: (facts: Facts) => Promise<string | undefined>): Asked {
  const answers = async () => {
    const found: string[] = [];
    for (const facts of cells) found.push((await ask(facts)) ?? '');
    return found;
  };
  return { name, operations: cells.length, answers, run: answers };
}

function report(contenders: readonly Contender[], timings: Timings, cellCount: number): Section {
  const of = (name: string) => timings.get(name) ?? Number.NaN;
  const own = of(typedName);
  const aimOf = (name: string) => (name.startsWith('zen') ? '≥ 100 ×' : name.includes('fresh') ? '≥ 2,000 ×' : '');
  return {
    title: 'One decision',
    note: `Table ssr/ssr, ${cellCount} cells, values checked in both of ours, names at load in the first and at every call in the second. All contenders name the same rule for every cell.`,
    rows: contenders.map(({ name }) => ({
      contender: name,
      result: duration(of(name)),
      ratio: name === typedName ? '' : times(of(name), own),
      aim: aimOf(name),
    })),
  };
}
