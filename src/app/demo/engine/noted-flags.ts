// Context flags that the schools of the demo set for a few children on the first day of the school year.
import { studentKey, teacherKeys } from './roster.ts';

export interface NotedFlag {
  readonly studentKey: string;
  readonly teacherKey: string;
  readonly flagCode: string;
}

const noted: readonly (readonly [classIndex: number, studentIndex: number, flagCode: string])[] = [
  [0, 4, 'first_year_arabic'],
  [1, 2, 'hearing_follow_up'],
  [1, 9, 'accommodation_large_print'],
  [2, 6, 'home_language_other'],
  [3, 11, 'accommodation_extra_time'],
];

/** Set by the first teacher of each child's class. */
export const notedFlags: readonly NotedFlag[] = noted.flatMap(([classIndex, studentIndex, flagCode]) =>
  teacherKeys(classIndex)
    .slice(0, 1)
    .map((teacherKey) => ({ studentKey: studentKey(classIndex, studentIndex), teacherKey, flagCode })),
);
