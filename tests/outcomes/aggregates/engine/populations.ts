// Schools made by chance, always the same ones for a seed.

import { seededNumbers } from '#core/platform/pure/random.ts';
import type { SchoolCounts, ShownCounts } from '#outcomes/aggregates/engine/units.ts';
import type { PublishedSchool } from './attack.ts';

export interface Wanted {
  readonly bands: readonly string[];
  readonly schools: readonly [number, number];
  readonly classes: readonly [number, number];
  readonly students: readonly [number, number];
  /** 1: all bands alike; larger: most students in few of them. */
  readonly uneven: number;
}

export function populations(seed: number, wanted: Wanted) {
  const chance = seededNumbers(seed);
  const between = ([from, to]: readonly [number, number]) => from + Math.floor(chance() * (to - from + 1));
  const many = <T>(range: readonly [number, number], make: (at: number) => T): T[] =>
    Array.from({ length: between(range) }, (_, at) => make(at));
  const drawn = (weights: readonly number[]): number => {
    let rest = chance() * weights.reduce((sum, weight) => sum + weight, 0);
    for (const [place, weight] of weights.entries()) {
      rest -= weight;
      if (rest < 0) return place;
    }
    return 0;
  };
  const someCounts = (): Record<string, number> => {
    const weights = wanted.bands.map(() => chance() ** wanted.uneven);
    const counts = wanted.bands.map(() => 0);
    for (let student = between(wanted.students); student > 0; student--) {
      const place = drawn(weights);
      counts[place] = (counts[place] ?? 0) + 1;
    }
    return Object.fromEntries(wanted.bands.map((band, place) => [band, counts[place] ?? 0]));
  };
  return (): SchoolCounts[] =>
    many(wanted.schools, (school) => ({
      id: `s${school}`,
      classes: many(wanted.classes, (one) => ({ id: `s${school}c${one}`, counts: someCounts() })),
    }));
}

export const sizeOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Without what is in no aggregate: classes under five, and schools that have no others. */
export const countedIn = (schools: readonly SchoolCounts[]): SchoolCounts[] =>
  schools
    .map((school) => ({ ...school, classes: school.classes.filter(({ counts }) => sizeOf(counts) >= 5) }))
    .filter(({ classes }) => classes.length > 0);

/** By `unit/band`, the organization's unit empty. */
export function trueCounts(schools: readonly SchoolCounts[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (unit: string, band: string, count: number) =>
    counts.set(`${unit}/${band}`, (counts.get(`${unit}/${band}`) ?? 0) + count);
  for (const { id, classes } of schools)
    for (const one of classes)
      for (const [band, count] of Object.entries(one.counts))
        for (const unit of ['', id, one.id]) add(unit, band, count);
  return counts;
}

interface Shown {
  readonly schools: Readonly<Record<string, ShownCounts>>;
  readonly classes: Readonly<Record<string, ShownCounts>>;
}

/** What everybody can read of counted schools. */
export const publishedOf = (
  schools: readonly SchoolCounts[],
  { schools: ofSchools, classes }: Shown,
): PublishedSchool[] =>
  schools.map((school) => ({
    ...{ id: school.id, row: ofSchools[school.id] ?? {}, ...(school.atLeast && { atLeast: school.atLeast }) },
    classes: school.classes.map(({ id, counts }) => ({ id, size: sizeOf(counts), row: classes[id] ?? {} })),
  }));
