// timeout: 60s
// A space with many bands, of which there are thousands of sets: it is protected in a time that does not grow with them, and
// what is shown of it is safe.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { seededNumbers } from '#core/platform/pure/random.ts';
import { protectOrganization } from '#outcomes/aggregates/engine/organization.ts';
import { protectSchool } from '#outcomes/aggregates/engine/school.ts';
import type { ProtectionRules, PublishedSchools, SchoolCounts } from '#outcomes/aggregates/engine/units.ts';

const bands = Array.from({ length: 13 }, (_, at) => `b${at}`);
const rules: ProtectionRules = { bands, neverAlone: [], threshold: 5, width: 5 };
/** Of thousands of sets one school would take minutes. */
const mostMs = 30_000;

const add = ({ schools, shown }: PublishedSchools, school: SchoolCounts): PublishedSchools => {
  const own = protectSchool(school, rules, { schools, shown });
  return {
    schools: [...schools, school],
    shown: {
      schools: { ...shown.schools, ...own.schools },
      classes: { ...shown.classes, ...own.classes },
    },
  };
};

const chance = seededNumbers(9);

/** Most are in the last band; how many are in each of the others falls from the first on. */
function someCounts(students: number): Record<string, number> {
  const counts = Object.fromEntries(bands.map((band) => [band, 0]));
  for (let student = 0; student < students; student += 1) {
    const place = chance() < 0.3 ? Math.floor(chance() ** 1.5 * (bands.length - 1)) : bands.length - 1;
    counts[`b${place}`] = (counts[`b${place}`] ?? 0) + 1;
  }
  return counts;
}

test('schools with thirteen bands are protected one after the other, and then their organization', () => {
  const schools = ['s0', 's1', 's2', 's3'].map((id) => ({
    id,
    classes: Array.from({ length: 20 }, (_, at) => ({ id: `${id}c${at}`, counts: someCounts(25) })),
  }));
  const from = performance.now();
  const out = schools.reduce<PublishedSchools>(add, { schools: [], shown: { schools: {}, classes: {} } });
  const organization = protectOrganization(out, rules);
  assert.ok(performance.now() - from < mostMs);
  for (const { id, classes } of schools) {
    const totals = bands.map((band) => classes.reduce((sum, { counts }) => sum + (counts[band] ?? 0), 0));
    for (const [at, band] of bands.entries()) {
      const shown = out.shown.schools[id]?.[band];
      assert.ok(
        shown === null || (shown !== undefined && shown === totals[at] && (shown === 0 || shown >= rules.threshold)),
        `${id} ${band}`,
      );
    }
  }
  assert.ok(bands.some((band) => organization[band] !== null));
});

test.run();
