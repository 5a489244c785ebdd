// timeout: 180s
// What is published is of use: of the students who stand in shown counts where everything is released at once by rules 1 to 4,
// nine of ten do where schools are released one after the other and the organization at the end of the season.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { protectOrganization } from '#outcomes/aggregates/engine/organization.ts';
import { type Protected, protectTogether } from '#outcomes/aggregates/engine/protect.ts';
import type { ProtectionRules, SchoolCounts, ShownCounts } from '#outcomes/aggregates/engine/units.ts';
import { protectLater } from './later.ts';
import { countedIn, populations, sizeOf, type Wanted } from './populations.ts';

const bands = ['Meets', 'Approaching', 'Below', 'Severe', 'More_Data'];
const rules: ProtectionRules = { bands, neverAlone: ['Below', 'Severe'], threshold: 5, width: 5 };
const ninety = 0.9;

interface Shown {
  organization: number;
  all: number;
}

const shownIn = (rows: readonly ShownCounts[]): number =>
  rows.flatMap((row) => Object.values(row)).reduce<number>((sum, count) => sum + (count ?? 0), 0);

function add(sum: Shown, { organization, schools, classes }: Protected): void {
  sum.organization += shownIn([organization]);
  sum.all += shownIn([organization, ...Object.values(schools), ...Object.values(classes)]);
}

/** Those of one night are published smallest first; over a season they come as they have measured. */
const orders = {
  'in one night': (schools: readonly SchoolCounts[]) =>
    schools.toSorted((one, other) => studentsIn(one) - studentsIn(other)),
  'over the season': (schools: readonly SchoolCounts[]) => [...schools],
};

const studentsIn = ({ classes }: SchoolCounts) => classes.reduce((sum, { counts }) => sum + sizeOf(counts), 0);

/** Of many populations of one kind, what is left of what everything at once would show. */
function shareLeft(seeds: number, wanted: Omit<Wanted, 'bands'>, order: keyof typeof orders): Shown {
  const [atOnce, later] = [
    { organization: 0, all: 0 },
    { organization: 0, all: 0 },
  ];
  for (let seed = 1; seed <= seeds; seed++) {
    const schools = countedIn(populations(seed, { ...wanted, bands })());
    add(atOnce, protectTogether(schools, rules));
    add(later, protectLater(orders[order](schools), rules));
  }
  return { organization: later.organization / atOnce.organization, all: later.all / atOnce.all };
}

const kinds = {
  'two schools': { schools: [2, 2], classes: [1, 3], students: [5, 30], uneven: 1 },
  'three schools': { schools: [3, 3], classes: [1, 3], students: [5, 30], uneven: 3 },
  'four or five schools': { schools: [4, 5], classes: [1, 6], students: [8, 30], uneven: 2 },
  'six to nine schools': { schools: [6, 9], classes: [1, 8], students: [10, 34], uneven: 2 },
  'eight schools with small classes': { schools: [8, 8], classes: [1, 3], students: [5, 30], uneven: 1 },
  'eight schools, most children in few bands': { schools: [8, 8], classes: [1, 3], students: [5, 30], uneven: 3 },
  'twenty schools': { schools: [20, 20], classes: [1, 6], students: [5, 34], uneven: 2 },
  'forty schools with one class each': { schools: [40, 40], classes: [1, 1], students: [3, 34], uneven: 2 },
  'sixty schools': { schools: [60, 60], classes: [1, 12], students: [3, 34], uneven: 2 },
} as const;

/** Of few schools the organization pays for what the first ones show, which hid much more if all came at once. */
const fewSchools: Readonly<Record<string, number>> = { 'two schools': 0.6, 'three schools': 0.7 };

for (const [name, wanted] of Object.entries(kinds))
  for (const order of ['in one night', 'over the season'] as const)
    test(`${name} ${order}: nine of ten are left of all, and of the organization`, () => {
      const left = shareLeft(Math.ceil(160 / wanted.schools[1]), wanted, order);
      assert.ok(left.all >= ninety, `all: ${left.all}`);
      assert.ok(left.organization >= (fewSchools[name] ?? ninety), `organization: ${left.organization}`);
    });

test('a school suppresses more than it must when that saves more children in the organization', () => {
  const first = { id: 'a', classes: [{ id: 'a1', counts: { Meets: 35, Approaching: 30, Below: 2 } }] };
  const second = { id: 'b', classes: [{ id: 'b1', counts: { Meets: 60, Approaching: 6, Below: 5 } }] };
  const onlyMeets = (Meets: number) => ({ Meets, Approaching: null, Below: null, Severe: null, More_Data: null });
  const helped = protectLater([first, second], rules);
  assert.equal(helped.schools, { a: onlyMeets(35), b: onlyMeets(60) });
  assert.equal(helped.organization, { Meets: 95, Approaching: 36, Below: 7, Severe: 0, More_Data: 0 });
  const tooLate = protectLater([second, first], rules);
  assert.equal(tooLate.schools.b, { Meets: 60, Approaching: 6, Below: 5, Severe: 0, More_Data: 0 });
  assert.equal(tooLate.organization, onlyMeets(95));
});

test('the organization is the same where schools that show all their counts stand as one class each', () => {
  const next = populations(9, { bands, schools: [2, 9], classes: [1, 4], students: [5, 34], uneven: 2 });
  let whole = 0;
  for (let tree = 0; tree < 80; tree++) {
    const counted = countedIn(next());
    const { organization, ...shown } = protectLater(counted, rules);
    const schools = counted.map((school) => {
      const row = shown.schools[school.id] ?? {};
      if (Object.values(row).includes(null)) return school;
      whole += 1;
      const counts = row as Readonly<Record<string, number>>;
      return { id: school.id, classes: [{ id: `${school.id}, whole`, counts }], atLeast: counts };
    });
    const rows = schools.flatMap(({ id, classes: [one] }) =>
      one?.id === `${id}, whole` ? [[one.id, one.counts]] : [],
    );
    const classes = { ...shown.classes, ...Object.fromEntries(rows) };
    assert.equal(protectOrganization({ schools, shown: { ...shown, classes } }, rules), organization);
  }
  assert.ok(whole > 80, `${whole} schools that show all`);
});

test('of a school that is published beside many others as much is shown as of one beside all of them', () => {
  const schools = countedIn(
    populations(5, { bands, schools: [90, 90], classes: [1, 4], students: [5, 34], uneven: 2 })(),
  );
  const [few, all] = [24, 90].map((seen) => {
    const shown = { organization: 0, all: 0 };
    add(shown, protectLater(schools, rules, seen));
    return shown;
  }) as [Shown, Shown];
  assert.ok(few.organization >= ninety * all.organization, `${few.organization} of ${all.organization}`);
  assert.ok(few.all >= ninety * all.all, `${few.all} of ${all.all}`);
});

test.run();
