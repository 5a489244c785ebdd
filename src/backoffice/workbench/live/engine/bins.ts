// Bins of a distribution: of equal width, with ends that people read easily.

export const mostBins = 60;

const steps = [1, 2, 2.5, 5, 10];

/**
 * Returns the ends of at most 60 bins that hold both values, ascending: each bin from one end up to the next one. `isWhole`: the
 * ends are whole numbers.
 */
export function binEnds(smallest: number, largest: number, isWhole: boolean): number[] {
  const width = widthFor(largest - smallest, isWhole);
  const [first, last] = [Math.floor(smallest / width), Math.floor(largest / width)];
  return Array.from({ length: last - first + 2 }, (_, at) => withoutNoise((first + at) * width));
}

function widthFor(range: number, isWhole: boolean): number {
  const least = range / (mostBins - 2);
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1e-4)));
  const width = steps.map((step) => step * power).find((one) => one >= least && (!isWhole || Number.isInteger(one)));
  return isWhole ? Math.max(1, Math.ceil(width ?? least)) : (width ?? least);
}

/** 3 × 0.1 is 0.30000000000000004. */
const withoutNoise = (value: number): number => Number(value.toPrecision(12));

/** Returns the place of the last lower end that is not above the value. `ends` are ascending, the first one is not above it. */
export function binOf(ends: readonly number[], value: number): number {
  let [low, high] = [0, ends.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((ends[middle] ?? value) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
