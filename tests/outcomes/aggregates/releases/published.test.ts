// timeout: 240s
// A person reads all that is served of a school year, each day and in every way, and sets it against each other: no count of 1
// to 4 is read, and none is known to be one of fewer than six values. What was counted only the test knows.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { useApp } from '../../../harness/http.ts';
import { type Lived, liveSchoolYear } from './school-year.ts';

const app = useApp(test, { rules: true });
const { owner } = app.database;
const width = 5;

interface Counted {
  readonly about: string;
  readonly schoolId: string;
  readonly classId: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly unmeasured: number;
}

/** Of each class, what was counted when its school was released. */
const countedOf = async (organizationId: string): Promise<Counted[]> => {
  const { rows } = await owner.raw(
    `select concat_ws(' ', c.school_year, c.season, c.space, nullif(c.subject, '')) as about, r.unit_id as "schoolId",
       c.class_id::text as "classId", c.counts, c.unmeasured
     from aggregate_count c join aggregate_release r on r.organization_id = c.organization_id and r.id = c.release_id
     where c.organization_id = ?`,
    [organizationId],
  );
  return rows;
};

interface Truth {
  students: number;
  unmeasured: number;
  readonly counts: Record<string, number>;
}

/** By season, statistic and subject, and by unit. */
function truthsOf(counted: readonly Counted[]): Map<string, Map<string, Truth>> {
  const truths = new Map<string, Map<string, Truth>>();
  for (const { about, schoolId, classId, counts, unmeasured } of counted)
    for (const unit of ['', schoolId, classId]) {
      const units = truths.get(about) ?? new Map<string, Truth>();
      truths.set(about, units);
      const truth = units.get(unit) ?? { students: 0, unmeasured: 0, counts: {} };
      units.set(unit, truth);
      truth.unmeasured += unmeasured;
      for (const [band, count] of Object.entries(counts)) {
        truth.counts[band] = (truth.counts[band] ?? 0) + count;
        truth.students += count;
      }
    }
  return truths;
}

interface Attacked {
  readonly small: number;
  readonly shown: number;
  readonly faults: readonly string[];
}

async function attack({ organizationId, attacker, places }: Lived): Promise<Attacked> {
  const faults: string[] = [];
  let [small, shown] = [0, 0];
  const schoolOf = new Map(places.flatMap(({ id, classIds }) => classIds.map((classId) => [classId, id] as const)));
  const truths = truthsOf(await countedOf(organizationId));
  for (const [about, ranges] of attacker.ranges(places))
    for (const [unit, truth] of truths.get(about) ?? []) {
      const row = attacker.cells.get(about)?.get(unit)?.row;
      const school = truths.get(about)?.get(schoolOf.get(unit) ?? unit) as Truth;
      // Where fewer were measured coverage alone says more than any count.
      const fewest = Math.min(width, about.includes('bundle_effect') ? width : school.students - school.unmeasured);
      for (const [band, count] of Object.entries(truth.counts)) {
        const range = ranges.get(`${unit}/${band}`);
        if (!range) continue;
        const name = `${about} ${unit}/${band} = ${count}, known as ${range.low} to ${range.high}`;
        if (count < range.low || count > range.high) faults.push(`not what was counted: ${name}`);
        if (row?.[band] !== null) shown += 1;
        if (count < 1 || count > 4) continue;
        small += 1;
        if (range.high - range.low < fewest) faults.push(`too narrow: ${name}`);
      }
      const ofSchool = attacker.cells.get(about)?.get(schoolOf.get(unit) ?? 'none')?.row ?? {};
      for (const [band, count] of Object.entries(row ?? {}))
        if (count !== null && ofSchool[band] === null) faults.push(`shown of a part alone: ${about} ${unit}/${band}`);
      const alone = ['Below', 'Severe'].some((band) => truth.counts[band] === truth.students);
      if (alone && Object.values(row ?? {}).some((count) => count !== null))
        faults.push(`all in one: ${about} ${unit}`);
    }
  return { small, shown, faults: [...faults, ...attacker.contradictions] };
}

const organizations = {
  'schools with a class of four, with a single class, and with one that is all in Below': [
    [9, 12, 4],
    [14],
    [8, 11],
    [10, 10],
    [24, 26],
  ],
  'two schools, one of a single class': [[12, 15], [13], [10, 9]],
} as const;

for (const [at, [name, sizes]] of Object.entries(organizations).entries())
  test(`${name}: everything that was read in a year says nothing of one to four children`, async () => {
    const lived = await liveSchoolYear(app, 17 + at, sizes);
    const { small, shown, faults } = await attack(lived);
    assert.equal(faults, []);
    assert.ok(small > 200 && shown > 50, `${small} small counts, ${shown} shown ones`);
  });

test.run();
