// Schools that are out, as the engine of protection sees them, and those of them that a school is published beside.
import type { Trx } from '#core/platform/db.ts';
import { grouped } from '#core/platform/pure/lists/grouped.ts';
import { sum } from '#core/platform/pure/lists/sum.ts';
import type { Counts, Published, SchoolCounts, ShownCounts } from '../engine/units.ts';
import type { SchoolTurn } from './count-school.ts';
import {
  type CountedClass,
  countedClasses,
  type OfSeason,
  type ReleasedSubject,
  type ShownSchool,
  shownSchools,
} from './rows/counted.ts';
import { spaceKind } from './spaces/all.ts';

/** With so many the organization hides next to nothing; more would only cost time and memory. */
const newestSchools = 24;

export type OutOf = (subject: ReleasedSubject) => Published;

/** Of each subject the schools that were published last: what a school hides for the organization's sake depends on them. */
export const newestOut = (trx: Trx, turn: SchoolTurn): Promise<OutOf> => outOf(trx, turn, { newest: newestSchools });

/** All schools that are out of a subject. */
export async function allOut(trx: Trx, turn: OfSeason, subject: ReleasedSubject): Promise<Published> {
  const out = await outOf(trx, turn, { subject });
  return out(subject);
}

/** What the classes of a school hide depends on the organization only where the school hides something itself. */
async function outOf(trx: Trx, turn: OfSeason, which: Parameters<typeof shownSchools>[2]): Promise<OutOf> {
  const schools = await shownSchools(trx, turn, which);
  const classes = await countedClasses(
    trx,
    turn,
    schools.filter(({ suppressed }) => suppressed),
  );
  const [schoolsOf, classesOf] = [grouped(schools, subjectKey), grouped(classes, schoolKey)];
  return (subject) => {
    const own = (schoolsOf.get(subjectKey(subject)) ?? []).map((school) => ({
      ...{ school, classes: classesOf.get(schoolKey(school)) ?? [] },
    }));
    return publishedOf(own.filter(({ school, classes: counted }) => !school.suppressed || counted.length > 0));
  };
}

const subjectKey = ({ space, subject }: ReleasedSubject): string => `${space} ${subject}`;
const schoolKey = (row: ReleasedSubject & { readonly releaseId: string }) => `${row.releaseId} ${subjectKey(row)}`;

interface OutSchool {
  readonly school: ShownSchool;
  readonly classes: readonly CountedClass[];
}

const publishedOf = (schools: readonly OutSchool[]): Published => ({
  schools: schools.map((one) => (one.school.suppressed ? schoolOf(one) : shownWhole(one.school))),
  shown: {
    schools: Object.fromEntries(schools.map(({ school }) => [school.schoolId, school.counts])),
    classes: Object.fromEntries(schools.flatMap(shownParts)),
  },
});

const shownParts = ({ school, classes }: OutSchool): [string, ShownCounts][] =>
  school.suppressed
    ? classes.map(({ classId, shown }) => [String(classId), shown])
    : [[school.schoolId, school.counts]];

function schoolOf({ school, classes }: OutSchool): SchoolCounts {
  const band = spaceKind(school.space).ofUnmeasured;
  return {
    id: school.schoolId,
    classes: classes.map(({ classId, counts }) => ({ id: String(classId), counts })),
    ...(band && { atLeast: { [band]: sum(classes.map(({ unmeasured }) => unmeasured)) } }),
  };
}

/** As one class, of which everything is known. */
function shownWhole({ schoolId, counts }: ShownSchool): SchoolCounts {
  const known: Counts = Object.fromEntries(Object.entries(counts).map(([band, count]) => [band, count ?? 0]));
  return { id: schoolId, classes: [{ id: schoolId, counts: known }], atLeast: known };
}
