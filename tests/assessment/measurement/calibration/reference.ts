// Two independent implementations with other methods. Conditional estimation: the likelihood given each child's score,
// by elementary symmetric functions, without a distribution of ability. Marginal likelihood by definition: a sum over a
// fine grid, maximized by golden-section search in one variable at a time.

/** Conditional difficulties with mean 0, of complete data, as rows of 0 and 1. */
export function conditional(rows: readonly (readonly number[])[]): number[] {
  const items = rows[0]?.length ?? 0;
  const right = Array.from({ length: items }, (_, item) => rows.reduce((sum, row) => sum + (row[item] ?? 0), 0));
  const scores = Array.from({ length: items + 1 }, () => 0);
  for (const row of rows) {
    const score = row.reduce((sum, answer) => sum + answer, 0);
    scores[score] = (scores[score] ?? 0) + 1;
  }
  let easiness = Array.from({ length: items }, () => 1);
  for (let round = 0; round < 2000; round++) {
    const all = symmetric(easiness);
    const next = easiness.map((value, item) => {
      const without = symmetric(easiness.filter((_, other) => other !== item));
      let share = 0;
      for (let score = 1; score < items; score++) {
        share += ((scores[score] ?? 0) * (without[score - 1] ?? 0)) / (all[score] ?? 1);
      }
      const full = scores[items] ?? 0;
      return ((right[item] ?? 0) - full) / share || value;
    });
    const logMean = next.reduce((sum, value) => sum + Math.log(value), 0) / items;
    const centred = next.map((value) => value / Math.exp(logMean));
    const moved = Math.max(...centred.map((value, item) => Math.abs(Math.log(value / (easiness[item] ?? 1)))));
    easiness = centred;
    if (moved < 1e-10) break;
  }
  return easiness.map((value) => -Math.log(value));
}

/** γ_0 … γ_n of the numbers. */
function symmetric(numbers: readonly number[]): number[] {
  const sums = [1];
  for (const number of numbers) {
    for (let order = sums.length; order > 0; order--)
      sums[order] = (sums[order] ?? 0) + number * (sums[order - 1] ?? 0);
  }
  return sums;
}

export interface Table {
  readonly answers: readonly (0 | 1 | null)[];
  readonly count: number;
}

/** −log marginal likelihood of difficulties and the standard deviation of abilities with mean 0. */
export function badness(table: readonly Table[], difficulties: readonly number[], sd: number): number {
  let sum = 0;
  for (const { answers, count } of table) {
    let likelihood = 0;
    for (let z = -6; z <= 6; z += 0.25) {
      let product = Math.exp((-z * z) / 2);
      for (const [item, answer] of answers.entries()) {
        if (answer === null) continue;
        const odds = Math.exp(z * sd - (difficulties[item] ?? 0));
        product *= answer === 1 ? odds / (1 + odds) : 1 / (1 + odds);
      }
      likelihood += product;
    }
    sum -= count * Math.log((likelihood * 0.25) / Math.sqrt(2 * Math.PI));
  }
  return sum;
}

/** Returns the minimum of `badness`, one variable at a time, until convergence. */
export function escalated(table: readonly Table[], items: number): { difficulties: number[]; sd: number } {
  const numbers = [...Array.from({ length: items }, () => 0), 1];
  for (let round = 0; round < 60; round++) {
    const before = [...numbers];
    for (const at of numbers.keys()) {
      const from = numbers[at] ?? 0;
      numbers[at] = golden(
        (value) => badness(table, withOne(numbers, at, value).slice(0, items), withOne(numbers, at, value)[items] ?? 1),
        at === items ? Math.max(0.01, from - 0.5) : from - 0.5,
        from + 0.5,
      );
    }
    if (numbers.every((value, at) => Math.abs(value - (before[at] ?? 0)) < 1e-4)) break;
  }
  return { difficulties: numbers.slice(0, items), sd: numbers[items] ?? 1 };
}

const withOne = (numbers: readonly number[], at: number, value: number): number[] =>
  numbers.map((one, index) => (index === at ? value : one));

function golden(f: (x: number) => number, low: number, high: number): number {
  const ratio = (Math.sqrt(5) - 1) / 2;
  let [a, b] = [low, high];
  while (b - a > 1e-5) {
    const [left, right] = [b - ratio * (b - a), a + ratio * (b - a)];
    if (f(left) < f(right)) b = right;
    else a = left;
  }
  return (a + b) / 2;
}
