// Counts of classes, a piece of them at a time, so that an organization of any size takes the same memory.
import type { Trx } from '../../../platform/db.ts';
import { rowsOf } from '../../../platform/sql.ts';
import type { RuleBundle } from '../../../rulesets/index.ts';
import { countingCatalogue } from '../../catalogue.ts';
import type { Season } from '../../words.ts';
import { type ClassCounts, type CountedClass, countClass } from './count.ts';
import { spanAt, spanNamed } from './school-years.ts';
import { studentsOf } from './students.ts';

export interface CountQuestion {
  readonly organizationId: string;
  readonly classIds: readonly number[];
  readonly rules: RuleBundle;
  readonly now: Date;
  /** Of this season, as it is released; without it of the school year that it is. */
  readonly of?: { readonly schoolYear: string; readonly season: Season };
}

/** Those of the classes that somebody is in. */
export async function countClasses(trx: Trx, question: CountQuestion): Promise<ClassCounts[]> {
  const { organizationId, classIds, rules, now, of } = question;
  const { calendar, tiles } = countingCatalogue(rules);
  const start = calendar.schoolYear;
  const places = await placesOf(trx, organizationId, classIds);
  const classes = places.map(({ classId, timeZone }) => ({
    ...{ classId, timeZone },
    ...(of ? spanNamed(of.schoolYear, timeZone, start) : spanAt(now, timeZone, start)),
  }));
  const students = await studentsOf(trx, { organizationId, classes, rules, now });
  return places.flatMap(({ timeZone: _, ...place }) => {
    const own = students.get(place.classId);
    return own ? countClass(place, own, tiles, of?.season) : [];
  });
}

type Place = CountedClass & { readonly timeZone: string };

const placesOf = (trx: Trx, organizationId: string, classIds: readonly number[]): Promise<Place[]> =>
  rowsOf(
    trx,
    `select c.id as class_id, c.school_id, c.grade, coalesce(s.time_zone, o.time_zone) as time_zone
     from class c
     join school s on s.organization_id = c.organization_id and s.id = c.school_id
     join organization o on o.id = c.organization_id
     where c.organization_id = :organizationId and c.id = any(:classIds::bigint[])
     order by c.id`,
    { organizationId, classIds: [...classIds] },
  );
