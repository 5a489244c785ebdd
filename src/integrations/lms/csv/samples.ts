// Selects sample rows of a set for a trial of a connection.
import { fullName } from '../engine/normal.ts';
import type { Course } from '../provider.ts';
import type { ClassContent, CourseContent, SourceRow, UserContent } from './content.ts';
import { courseOf } from './read.ts';
import { type ParsedSet, unpacked } from './set/parse.ts';

const most = 3;

export interface SampleCourse extends Omit<Course, 'active'> {}

export interface SamplePerson {
  readonly externalId: string;
  readonly fullNameAr: string;
  readonly email: string | null;
  readonly active: boolean;
}

export interface Samples {
  readonly courses: readonly SampleCourse[];
  readonly people: readonly SamplePerson[];
}

/** Returns the first rows of the set. The files are in the order classes, courses, users. */
export function samplesOf({ pages }: ParsedSet): Samples {
  const classes: SourceRow[] = [];
  const courses = new Map<string, CourseContent>();
  const people: SamplePerson[] = [];
  for (const page of pages) {
    for (const row of unpacked(page)) {
      if (row.file === 'classes' && classes.length < most) classes.push(row);
      if (row.file === 'courses' && classes.some(({ parentId }) => parentId === row.externalId)) {
        courses.set(row.externalId, row.content as CourseContent);
      }
      if (row.file === 'users' && people.length < most) people.push(...personOf(row));
    }
    if (people.length === most) break;
  }
  return { courses: classes.map((row) => sampleOf(row, courses)), people };
}

function sampleOf({ externalId, parentId, content }: SourceRow, courses: ReadonlyMap<string, CourseContent>) {
  const course = courses.get(parentId ?? '') ?? null;
  const { active: _, ...sample } = courseOf({ externalId, content: content as ClassContent, course });
  return sample;
}

/** Returns nothing when the row cannot be read. */
function personOf({ externalId, content }: SourceRow): SamplePerson[] {
  const { names, email, active, isBad } = content as UserContent;
  const fullNameAr = fullName(names);
  return isBad || fullNameAr === null ? [] : [{ externalId, fullNameAr, email, active }];
}
