// What a person can find out of many schools by subtracting what is shown from what is shown, again and again, until nothing
// gets narrower: every count of every unit lies between two numbers.
import type { Published } from './attack.ts';

interface Range {
  low: number;
  high: number;
}

/** By `unit/band`. */
export function knownRanges({ bands, organization, schools }: Published): ReadonlyMap<string, Readonly<Range>> {
  const ranges = new Map<string, Range>();
  const sums: { readonly whole: Range; readonly parts: readonly Range[] }[] = [];
  const rangeOf = (unit: string, band: string, shown: number | null | undefined, size: number, floor = 0): Range => {
    const range = { low: shown ?? floor, high: shown ?? size };
    ranges.set(`${unit}/${band}`, range);
    return range;
  };
  const total = (size: number, parts: readonly Range[]) => sums.push({ whole: { low: size, high: size }, parts });
  const students = (school: Published['schools'][number]) => school.classes.reduce((sum, { size }) => sum + size, 0);
  const everybody = schools.reduce((sum, school) => sum + students(school), 0);
  const top = bands.map((band) => rangeOf('', band, organization?.[band], everybody));
  total(everybody, top);
  const ofSchools = schools.map((school) => {
    const size = students(school);
    const whole = bands.map((band) => rangeOf(school.id, band, school.row[band], size, school.atLeast?.[band]));
    total(size, whole);
    const ofClasses = school.classes.map(({ id, size: inClass, row }) => {
      const cells = bands.map((band) => rangeOf(id, band, row[band], inClass));
      total(inClass, cells);
      return cells;
    });
    whole.forEach((range, place) => {
      sums.push({ whole: range, parts: ofClasses.map((cells) => cells[place] as Range) });
    });
    return whole;
  });
  top.forEach((range, place) => {
    sums.push({ whole: range, parts: ofSchools.map((whole) => whole[place] as Range) });
  });
  while (sums.map(narrow).some(Boolean));
  return ranges;
}

/** The whole lies between the sums of its parts, and each part is what the others leave of the whole. */
function narrow({ whole, parts }: { readonly whole: Range; readonly parts: readonly Range[] }): boolean {
  const lows = parts.reduce((sum, { low }) => sum + low, 0);
  const highs = parts.reduce((sum, { high }) => sum + high, 0);
  const [low, high] = [whole.low, whole.high];
  let isNarrower = within(whole, lows, highs);
  for (const part of parts) {
    const others = { low: lows - part.low, high: highs - part.high };
    isNarrower = within(part, low - others.high, high - others.low) || isNarrower;
  }
  return isNarrower;
}

function within(range: Range, low: number, high: number): boolean {
  const [wasLow, wasHigh] = [range.low, range.high];
  range.low = Math.max(wasLow, low);
  range.high = Math.min(wasHigh, high);
  return range.low > wasLow || range.high < wasHigh;
}
