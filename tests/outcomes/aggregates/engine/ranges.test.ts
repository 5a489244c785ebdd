// The attack is as strong as can be: what it works out is what trying every table gives, and each rule of protection that is
// broken by hand is found out by it.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Attacker } from '../releases/attacker.ts';
import type { Reading } from '../releases/reader.ts';
import { possibleValues } from './attack.ts';
import { protectLater } from './later.ts';
import { countedIn, populations, publishedOf } from './populations.ts';
import { type KnownSchool, type Row, rangesOf } from './ranges.ts';

const bands = ['Meets', 'Below', 'Severe', 'More_Data'];
const rules = { bands, threshold: 5, width: 5, neverAlone: ['Below', 'Severe'] };

test('each range is what trying every table leaves, ends and all between them', () => {
  const next = populations(3, { bands, schools: [1, 3], classes: [1, 2], students: [5, 7], uneven: 2 });
  let compared = 0;
  for (let tree = 0; tree < 60; tree++) {
    const schools = countedIn(next());
    const shown = protectLater(schools, rules);
    const published = { bands, organization: shown.organization, schools: publishedOf(schools, shown) };
    const possible = possibleValues(published);
    const known = published.schools.map(({ classes, ...school }) => ({ atLeast: {}, ...school, parts: classes }));
    const ranges = rangesOf({ ...published, schools: known });
    for (const [key, values] of possible) {
      const { low, high } = ranges?.get(key) ?? { low: -1, high: -1 };
      const between = Array.from({ length: high - low + 1 }, (_, at) => low + at);
      assert.equal(
        [...values].toSorted((one, other) => one - other),
        between,
        `${key} of ${JSON.stringify(published)}`,
      );
      compared += 1;
    }
  }
  assert.ok(compared > 1000, `${compared} counts`);
});

const row = (...counts: readonly (number | null)[]): Row =>
  Object.fromEntries(bands.map((band, at) => [band, counts[at] ?? null]));
const part = (id: string, size: number, ...counts: readonly (number | null)[]) => ({ id, size, row: row(...counts) });
const school = (id: string, own: Row, parts: KnownSchool['parts']): KnownSchool => ({
  id,
  row: own,
  parts,
  atLeast: {},
});

/** With the count that is found out, and how many values are left of it. */
const broken = {
  'rule 1: a class of four is counted': {
    ...{ found: 'c/Below', left: 5 },
    schools: [school('s', row(null, null, 6, 6), [part('c', 4), part('d', 13, null, null, 6, 6)])],
  },
  'rule 2: a count is hidden alone': {
    ...{ found: 'c/Below', left: 1 },
    schools: [school('s', row(9, null, 0, 0), [part('c', 12, 9, null, 0, 0)])],
  },
  'rule 2: two are hidden that have three children': {
    ...{ found: 'c/Below', left: 4 },
    schools: [school('s', row(9, null, null, 0), [part('c', 12, 9, null, null, 0)])],
  },
  'rule 3: a school hides what its classes show': {
    ...{ found: 's/Below', left: 1 },
    schools: [school('s', row(11, null, null, 0), [part('c', 9, 6, 3, 0, 0), part('d', 9, 5, 0, 4, 0)])],
  },
  'rule 4: the organization shows what a school hides, and no other school does': {
    ...{ found: 's/Below', left: 1 },
    organization: row(20, 7, 8, 0),
    schools: [
      school('s', row(9, null, null, null), [part('c', 16, 9)]),
      school('t', row(11, 5, 3, 0), [part('d', 19, 11, 5, 3, 0)]),
    ],
  },
} as const;

for (const [name, { found, left, schools, ...top }] of Object.entries(broken))
  test(`what breaks a rule is found out; ${name}`, () => {
    const ranges = rangesOf({ bands, organization: 'organization' in top ? top.organization : undefined, schools });
    const { low, high } = ranges?.get(found) ?? { low: 0, high: 99 };
    assert.is(high - low + 1, left);
  });

test('what breaks a rule is found out; rule 5: a cell is published twice', () => {
  const attacker = new Attacker();
  const reported = (Below: number) => [
    { about: '2025-2026 BOY tile FLUENCY', unit: 's', students: 20, row: { Below } },
  ];
  const hear = (Below: number) =>
    attacker.hear({ told: reported(Below), shares: [], unmeasured: [] } as unknown as Reading);
  hear(6);
  hear(6);
  assert.equal(attacker.contradictions, []);
  hear(7);
  assert.is(attacker.contradictions.length, 1);
});

test.run();
