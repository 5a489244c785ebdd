// Standard errors of difficulties from the cross products of the sittings' scores (Louis 1982, McLachlan & Krishnan
// 1997), which account for the unobserved abilities.
import { chancesOf, groupWeights, type Model, nodes, posteriorOf } from './marginal.ts';
import type { SittingPattern } from './responses.ts';

/**
 * Returns the standard errors. `isAnchored`: the mean difficulty is fixed and every group's distribution is estimated;
 * otherwise abilities are known.
 */
export function standardErrors(model: Model, patterns: readonly SittingPattern[], isAnchored: boolean): number[] {
  const items = model.difficulties.length;
  const size = items + (isAnchored ? 2 * model.groups.length : 0);
  const information = Array.from({ length: size }, () => new Float64Array(size));
  const chances = chancesOf(model);
  const priors = model.groups.map(groupWeights);
  for (const pattern of patterns) {
    const { weights } = posteriorOf(pattern, chances, priors[pattern.group]);
    const score = [
      ...difficultyScores(pattern, weights, chances),
      ...(isAnchored ? groupScores(model, pattern, weights, items) : []),
    ];
    for (const [row, a] of score) {
      const line = information[row];
      if (line) for (const [column, b] of score) line[column] = (line[column] ?? 0) + pattern.count * a * b;
    }
  }
  const covariance = inverse(isAnchored ? bordered(information, items) : information.map((line) => [...line]));
  return model.difficulties.map((_, item) => Math.sqrt(Math.max(0, covariance[item]?.[item] ?? 0)));
}

type Score = readonly [parameter: number, value: number];

function difficultyScores({ items, correct }: SittingPattern, weights: Float64Array, chances: readonly Float64Array[]) {
  return items.map((item, at): Score => {
    const expected = weights.reduce((sum, weight, node) => sum + weight * (chances[item]?.[node] ?? 0), 0);
    return [item, expected - (correct[at] ? 1 : 0)];
  });
}

/** Returns the scores of the group's mean and of its standard deviation. */
function groupScores({ groups }: Model, { group }: SittingPattern, weights: Float64Array, items: number): Score[] {
  const { mean, sd } = groups[group] ?? { mean: 0, sd: 1 };
  const byMean = nodes.reduce((sum, theta, node) => sum + ((theta - mean) / sd ** 2) * (weights[node] ?? 0), 0);
  const bySd = nodes.reduce(
    (sum, theta, node) => sum + ((theta - mean) ** 2 / sd ** 3 - 1 / sd) * (weights[node] ?? 0),
    0,
  );
  return [
    [items + 2 * group, byMean],
    [items + 2 * group + 1, bySd],
  ];
}

/** Borders the matrix with the constraint on the mean difficulty, which removes the free shift. */
function bordered(information: readonly Float64Array[], items: number): number[][] {
  const constraint = information.map((_, at) => (at < items ? 1 : 0));
  return [...information.map((line, at) => [...line, constraint[at] ?? 0]), [...constraint, 0]];
}

/**
 * Inverts a matrix by Gauss–Jordan with partial pivoting. Throws RangeError for a singular matrix: some item carries no
 * information.
 */
export function inverse(matrix: readonly (readonly number[])[]): number[][] {
  const size = matrix.length;
  const rows = matrix.map((line, at) => [
    ...line,
    ...Array.from({ length: size }, (_, column) => (column === at ? 1 : 0)),
  ]);
  for (let column = 0; column < size; column++) {
    const pivot = largestBelow(rows, column);
    const line = rows[pivot];
    const value = line?.[column] ?? 0;
    if (!line || Math.abs(value) < 1e-12) throw new RangeError('the information has no inverse');
    [rows[pivot], rows[column]] = [rows[column] ?? [], line];
    for (let at = 0; at < 2 * size; at++) line[at] = (line[at] ?? 0) / value;
    for (const other of rows) if (other !== line) subtract(other, line, other[column] ?? 0);
  }
  return rows.map((line) => line.slice(size));
}

function largestBelow(rows: readonly (readonly number[])[], column: number): number {
  let best = column;
  for (let row = column + 1; row < rows.length; row++) {
    if (Math.abs(rows[row]?.[column] ?? 0) > Math.abs(rows[best]?.[column] ?? 0)) best = row;
  }
  return best;
}

function subtract(from: number[], line: readonly number[], times: number): void {
  if (times === 0) return;
  for (const [at, value] of line.entries()) from[at] = (from[at] ?? 0) - times * value;
}
