// Ability estimation: `estimateAbility` against the EAP estimator of jsCAT, for 10 and for 25 Rasch items.
import { estimateAbility, type ScoredItem } from '../../src/assessment/measurement/scoring/engine/eap.ts';
import { sideBySide } from '../harness/measure.ts';
import { type Cat, loadJsCat, type Zeta } from '../harness/peers.ts';
import { duration, type Row, type Section, times } from '../harness/report.ts';

/** Wide enough for its fixed steps of 0.1 to cover the same −16 to 16 logits as ours. */
const sameGrid = { method: 'EAP', priorDist: 'norm', priorPar: [0, 1], minTheta: -16, maxTheta: 16 } as const;
/** The start value of its documentation. */
const defaultGrid = { ...sameGrid, minTheta: -6, maxTheta: 6 } as const;
const patterns = 12;
const passes = 10;
/** Thetas that differ by more than this are different estimates. */
const tolerance = 1e-4;

interface Answered {
  readonly items: readonly ScoredItem[];
  readonly zetas: readonly Zeta[];
  readonly answers: readonly (0 | 1)[];
}

export async function benchEap(): Promise<Section> {
  const rows: Row[] = [];
  for (const count of [10, 25]) rows.push(...(await compare(count)));
  return {
    title: 'Ability from answers (EAP)',
    note: `${patterns} answer patterns, prior N(0, 1). Ours sums 321 nodes and also answers the posterior standard deviation; jsCAT sums its own nodes and answers the information-based error. Asserted: thetas agree within ${tolerance} on the same grid.`,
    rows,
  };
}

async function compare(count: number): Promise<Row[]> {
  const sheets = Array.from({ length: patterns }, (_, at) => sheet(count, at));
  const { Cat } = loadJsCat();
  const theta = (cat: Cat, { zetas, answers }: Answered) => {
    cat.updateAbilityEstimate(zetas, answers);
    return cat.theta;
  };
  const apart = (options: typeof sameGrid | typeof defaultGrid) =>
    Math.max(...sheets.map((one) => Math.abs(theta(new Cat(options), one) - estimateAbility(one.items).theta)));
  const [same, usual] = [apart(sameGrid), apart(defaultGrid)];
  if (!(same < tolerance)) throw new Error(`jsCAT is ${same} logits away with ${count} items`);
  const over =
    (work: (one: Answered) => number, repeat = 1) =>
    () => {
      let sum = 0;
      for (let pass = 0; pass < repeat; pass++) for (const one of sheets) sum += work(one);
      return sum;
    };
  const timings = await sideBySide(
    [
      { name: 'ours', operations: patterns * passes, run: over(({ items }) => estimateAbility(items).theta, passes) },
      { name: 'same', operations: patterns, run: over((one) => theta(new Cat(sameGrid), one)) },
      { name: 'usual', operations: patterns, run: over((one) => theta(new Cat(defaultGrid), one)) },
    ],
    7,
  );
  const of = (name: string) => timings.get(name) ?? Number.NaN;
  const peer = (name: string, title: string, gap: number): Row => ({
    contender: `jsCAT, ${title}, ${count} items; θ at most ${gap.toExponential(1)} apart`,
    result: duration(of(name)),
    ratio: times(of(name), of('ours')),
  });
  return [
    { contender: `estimateAbility, 321 nodes, ${count} items`, result: duration(of('ours')) },
    peer('same', '321 nodes', same),
    peer('usual', 'its default 121 nodes', usual),
  ];
}

/** Difficulties from −2 to 2. The correct answers differ from sheet to sheet, deterministically. */
function sheet(count: number, number: number): Answered {
  const items = Array.from({ length: count }, (_, at) => ({
    itemId: `item-${String(at).padStart(3, '0')}`,
    difficultyLogit: -2 + (4 * at) / (count - 1),
    correct: ((at * 7 + number * 13) % 11) * patterns < 11 * number,
  }));
  return {
    items,
    zetas: items.map(({ difficultyLogit }) => ({ a: 1, b: difficultyLogit, c: 0, d: 1 })),
    answers: items.map(({ correct }) => (correct ? 1 : 0)),
  };
}
