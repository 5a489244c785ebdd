// Which of the courses that are asked for the source still has: of one that is gone nothing is read, so that it ends nobody.
import type { Course } from '../../provider.ts';

export interface PresentCourses {
  readonly present: readonly string[];
  /** As the source's rows would say it. */
  readonly gone: ReadonlyMap<string, 'course_gone'>;
}

/** `courses`: all that the source lists. */
export function presentCourses(courses: readonly Course[], courseExternalIds: readonly string[]): PresentCourses {
  const active = new Set(courses.filter((course) => course.active).map(({ courseExternalId }) => courseExternalId));
  const gone = courseExternalIds.filter((id) => !active.has(id));
  return {
    present: courseExternalIds.filter((id) => active.has(id)),
    gone: new Map(gone.map((id) => [id, 'course_gone'])),
  };
}
