// A roster of a given number of rows, half of them people and half enrollments: as uploaded files, and from a OneRoster
// service, with the same content.

import { classRow, enrollment, type OneRosterSettings, user11 } from '../../tests/harness/lms/one-roster.ts';
import { type Files, rosterSet } from '../../tests/integrations/lms/sets.ts';

/** The students of a class, which has one teacher. */
const studentsOfClass = 24;

interface Member {
  readonly id: string;
  readonly role: 'student' | 'teacher';
  readonly course: string;
  readonly email: string | undefined;
}

export interface Roster {
  readonly courses: readonly string[];
  readonly members: readonly Member[];
}

export function rosterOf(rows: number): Roster {
  const ofClass = studentsOfClass + 1;
  const courses = Array.from({ length: rows / 2 / ofClass }, (_, at) => `${rows}-c${at}`);
  const members = courses.flatMap((course) =>
    Array.from({ length: ofClass }, (_, at) => {
      const id = `${course}-p${at}`;
      const role = at === 0 ? ('teacher' as const) : ('student' as const);
      return { id, role, course, email: at % 2 === 0 ? `${id}@example.com` : undefined };
    }),
  );
  return { courses, members };
}

const name = { given: 'نورة', family: 'العتيبي' } as const;
const isMain = (role: Member['role']) => String(role === 'teacher');

export const filesOf = ({ courses, members }: Roster): Files =>
  rosterSet({
    classes: courses.map((id) => ({ id, title: id })),
    people: members.map(({ id, role, email }) => ({ id, role, ...name, ...(email !== undefined && { email }) })),
    enrolled: members.map(({ id: person, role, course }) => ({ course, person, role, primary: isMain(role) })),
  });

export const listsOf = ({ courses, members }: Roster): Partial<OneRosterSettings> => ({
  mostRows: 500,
  classes: courses.map((id) => classRow(id, { title: id })),
  users: members.map(({ id, role, email }) =>
    user11(id, role, { givenName: name.given, familyName: name.family, ...(email !== undefined && { email }) }),
  ),
  enrollments: members.map(({ id, role, course }) =>
    enrollment(`${course}-${id}`, course, id, role, { primary: isMain(role) }),
  ),
});
