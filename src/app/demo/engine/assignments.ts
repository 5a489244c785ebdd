// Assignments of single children in a demo class, and the days on which its group was taught.
import { dateOfDay, dayNumber, isoWeekday } from '#core/platform/pure/dates/days.ts';

export interface DemoAssignment {
  /** Days from today; negative values are in the past. */
  readonly startsInDays: number;
  /** The teacher's later review of the assignment. */
  readonly move: 'stop' | 'complete' | 'replace' | null;
}

export const singleAssignments: readonly DemoAssignment[] = [
  { startsInDays: 7, move: null },
  { startsInDays: -10, move: 'stop' },
  { startsInDays: -60, move: 'complete' },
  { startsInDays: -5, move: 'replace' },
  // A plan of eight weeks is over by then, and was not completed.
  { startsInDays: -65, move: null },
];

/** Returns the body of the review, without the assignment. */
export function chosenFor(move: NonNullable<DemoAssignment['move']>, bundleId: string) {
  const offRecommendation = { confirmOffRecommendation: true } as const;
  switch (move) {
    case 'stop':
      return { action: 'stop', reasonCode: 'Need_Changed' } as const;
    case 'complete':
      return { action: 'complete', ...offRecommendation, overrideCode: 'Wfl_Plan_Adjustment_04' } as const;
    case 'replace': {
      const other = bundleId === 'SUP-FLUENCY-01' ? 'SUP-COMP-01' : 'SUP-FLUENCY-01';
      return {
        ...({ action: 'replace', bundle_id: other } as const),
        ...{ ...offRecommendation, overrideCode: 'Wfl_Bundle_Substitution_03' },
      };
    }
  }
}

const weeks = 3;
/** Sunday, Tuesday and Wednesday (ISO weekdays). */
const weekdays: ReadonlySet<number> = new Set([7, 2, 3]);

/** Returns local dates of sessions in the last weeks, the earliest first. */
export const sessionDays = (today: string): string[] =>
  Array.from({ length: weeks * 7 }, (_, at) => dateOfDay(dayNumber(today) - weeks * 7 + at)).filter((date) =>
    weekdays.has(isoWeekday(date)),
  );
