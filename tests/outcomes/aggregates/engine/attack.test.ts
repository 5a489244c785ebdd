// No one finds out a count of 1 to 4, or knows it to be one of fewer than six values, from everything that is published: by
// trying all tables of small organizations, and by subtracting everything from everything in large ones.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { protectTogether } from '#outcomes/aggregates/engine/protect.ts';
import type { ProtectionRules, SchoolCounts } from '#outcomes/aggregates/engine/units.ts';
import { type Published, possibleValues } from './attack.ts';
import { knownRanges } from './bounds.ts';
import { protectLater } from './later.ts';
import { countedIn, populations, publishedOf, sizeOf, trueCounts } from './populations.ts';

const numbers = { threshold: 5, width: 5, neverAlone: ['Below', 'Severe'] };
const fewestValues = 6;

const bandsOf = (many: number) => ['Meets', 'Below', 'Severe', 'More_Data', 'Approaching'].slice(0, many);

/** All at once; or one school after the other, and the organization at the end of the season. */
const ways = { together: protectTogether, later: protectLater };

type Way = keyof typeof ways;

const isSmall = (count: number | undefined): boolean => count !== undefined && count >= 1 && count <= 4;

function attacked(way: Way, schools: readonly SchoolCounts[], rules: ProtectionRules): Published | undefined {
  const counted = countedIn(schools);
  const shown = ways[way](schools, rules);
  if (counted.length === 0) return undefined;
  return { bands: rules.bands, organization: shown.organization, schools: publishedOf(counted, shown) };
}

/** Of children that were not measured everybody knows how many there are: they are in More_Data. */
function withCoverage(schools: readonly SchoolCounts[]): SchoolCounts[] {
  return countedIn(schools).map((school) => {
    const missing = school.classes.reduce((sum, { counts }) => sum + (counts.More_Data ?? 0), 0);
    return { ...school, atLeast: { More_Data: Math.ceil(missing / 2) } };
  });
}

/** How many values must be left: where few were measured, that alone leaves fewer, of them and of whatever is made of them. */
function fewestOf(key: string, schools: readonly SchoolCounts[]): number {
  const concerned = schools.filter(({ id }) => key.startsWith('/') || key.startsWith(id));
  const measured = concerned.map(({ classes, atLeast }) => {
    const students = classes.reduce((sum, { counts }) => sum + sizeOf(counts), 0);
    return students - (atLeast?.More_Data ?? 0);
  });
  return Math.min(fewestValues, ...measured.map((students) => students + 1));
}

function assertSafe(way: Way, schools: readonly SchoolCounts[], rules: ProtectionRules): number {
  const published = attacked(way, schools, rules);
  if (!published) return 0;
  const possible = possibleValues(published);
  let asked = 0;
  for (const [key, count] of trueCounts(countedIn(schools))) {
    const values = possible.get(key) ?? new Set<number>();
    assert.ok(values.has(count), `${key} is told wrong in ${JSON.stringify({ way, schools })}`);
    if (!isSmall(count)) continue;
    asked += 1;
    const few = `${key} = ${count} is one of ${[...values].join(', ')} in ${JSON.stringify({ way, schools })}`;
    assert.ok(values.size >= fewestOf(key, schools), few);
  }
  return asked;
}

const trees = {
  'classes that differ in everything, of three bands': { bands: 3, schools: [1, 3], classes: [1, 2], students: [4, 7] },
  'one school of three classes': { bands: 4, schools: [1, 1], classes: [3, 3], students: [4, 6] },
  'a school with one class beside others, of four bands': {
    bands: 4,
    schools: [2, 3],
    classes: [1, 1],
    students: [5, 7],
  },
  'all five bands': { bands: 5, schools: [1, 2], classes: [1, 1], students: [5, 8] },
} as const;

for (const [name, { bands, ...wanted }] of Object.entries(trees))
  test(`trying all tables of ${name} leaves at least six values of each small count`, () => {
    const rules = { ...numbers, bands: bandsOf(bands) };
    const next = populations(11, { ...wanted, bands: rules.bands, uneven: 3 });
    let asked = 0;
    for (let tree = 0; tree < 250; tree++) {
      const schools = next();
      for (const way of ['together', 'later'] as const) asked += assertSafe(way, schools, rules);
      if (bands > 3) asked += assertSafe('later', withCoverage(schools), rules);
    }
    assert.ok(asked > 1000, `${asked} small counts`);
  });

test('subtracting everything from everything in large organizations leaves as much', () => {
  const rules = { ...numbers, bands: bandsOf(5) };
  for (const [schools, classes, uneven] of [
    [60, 12, 1],
    [60, 12, 3],
    [6, 4, 2],
    [200, 1, 2],
  ] as const) {
    const next = populations(schools, {
      ...{ bands: rules.bands, schools: [schools, schools], classes: [1, classes], students: [3, 34], uneven },
    });
    const made = next();
    for (const way of ['together', 'later'] as const) {
      const ranges = knownRanges(attacked(way, made, rules) as Published);
      for (const [key, count] of trueCounts(countedIn(made))) {
        const { low, high } = ranges.get(key) as { low: number; high: number };
        assert.ok(low <= count && count <= high, key);
        if (isSmall(count)) assert.ok(high - low >= numbers.width, `${way} ${key} = ${count}: ${low} to ${high}`);
      }
    }
  }
});

test('the attack works: a count that is suppressed alone is derived', () => {
  const schools = [
    { id: 's', row: { Meets: 9, Below: 3 }, classes: [{ id: 'c', size: 12, row: { Meets: 9, Below: null } }] },
  ];
  const published = { bands: ['Meets', 'Below'], organization: null, schools };
  assert.equal(possibleValues(published).get('c/Below'), new Set([3]));
  assert.equal(knownRanges(published).get('c/Below'), { low: 3, high: 3 });
});

test.run();
