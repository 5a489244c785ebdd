// Published schools as input of the protection engine, and the selection of those that a school is published beside.
import type { Trx } from '#core/platform/db.ts';
import { grouped } from '#core/platform/pure/lists/grouped.ts';
import { sum } from '#core/platform/pure/lists/sum.ts';
import type { Counts, PublishedSchools, SchoolCounts, ShownCounts } from '../engine/units.ts';
import type { SchoolTurn } from './count-school.ts';
import {
  type CountedClass,
  countedClasses,
  type OfSeason,
  type ReleasedSubject,
  type ShownSchool,
  shownSchools,
} from './rows/counted.ts';
import { statisticKind } from './statistics/kinds.ts';

/**
 * With this many schools the organization suppresses next to nothing; more would cost time and memory without effect.
 */
const newestSchools = 24;

export type PublishedBySubject = (subject: ReleasedSubject) => PublishedSchools;

/**
 * Returns, for each subject, the schools that were published last: the complementary suppression of a school depends on
 * them.
 */
export const newestPublishedSchools = (trx: Trx, turn: SchoolTurn): Promise<PublishedBySubject> =>
  publishedBySubject(trx, turn, { newest: newestSchools });

/** Returns all published schools of a subject. */
export async function allPublishedSchools(
  trx: Trx,
  turn: OfSeason,
  subject: ReleasedSubject,
): Promise<PublishedSchools> {
  const out = await publishedBySubject(trx, turn, { subject });
  return out(subject);
}

/** Classes are read only for schools that suppress something: otherwise they do not matter for the organization. */
async function publishedBySubject(
  trx: Trx,
  turn: OfSeason,
  which: Parameters<typeof shownSchools>[2],
): Promise<PublishedBySubject> {
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

interface PublishedSchool {
  readonly school: ShownSchool;
  readonly classes: readonly CountedClass[];
}

const publishedOf = (schools: readonly PublishedSchool[]): PublishedSchools => ({
  schools: schools.map((one) => (one.school.suppressed ? schoolOf(one) : shownWhole(one.school))),
  shown: {
    schools: Object.fromEntries(schools.map(({ school }) => [school.schoolId, school.counts])),
    classes: Object.fromEntries(schools.flatMap(shownParts)),
  },
});

const shownParts = ({ school, classes }: PublishedSchool): [string, ShownCounts][] =>
  school.suppressed
    ? classes.map(({ classId, shown }) => [String(classId), shown])
    : [[school.schoolId, school.counts]];

function schoolOf({ school, classes }: PublishedSchool): SchoolCounts {
  const band = statisticKind(school.space).ofUnmeasured;
  return {
    id: school.schoolId,
    classes: classes.map(({ classId, counts }) => ({ id: String(classId), counts })),
    ...(band && { atLeast: { [band]: sum(classes.map(({ unmeasured }) => unmeasured)) } }),
  };
}

/** Represents a school without suppression as one class whose counts are all known. */
function shownWhole({ schoolId, counts }: ShownSchool): SchoolCounts {
  const known: Counts = Object.fromEntries(Object.entries(counts).map(([band, count]) => [band, count ?? 0]));
  return { id: schoolId, classes: [{ id: schoolId, counts: known }], atLeast: known };
}
