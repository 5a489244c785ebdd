// When a flag holds: a period of whole days, both ends included, in one school year.
import { lastDayOf, type SchoolYearDates } from '#rules/catalogue/engine/index.ts';

/** Dates are `YYYY-MM-DD`, of the organization, and compare as text. */
export interface Period {
  readonly effectiveFrom: string;
  /** Null: none was named. */
  readonly effectiveTo: string | null;
  /** Its last day: the one that was named, else that of the school year. */
  readonly activeTo: string;
  /** It was ended by hand, and does not hold any more although `activeTo` is the day on which that was done. */
  readonly ended: boolean;
}

export interface AskedPeriod {
  readonly effectiveFrom?: string;
  readonly effectiveTo?: string;
}

/** Which field of a question is wrong, and how. */
export interface Misfit {
  readonly field: 'effectiveFrom' | 'effectiveTo';
  readonly issue: string;
}

export const isMisfit = (answer: Period | Misfit): answer is Misfit => 'issue' in answer;

/** From `today` to the end of the school year unless told otherwise. */
export function periodOf(asked: AskedPeriod, today: string, year: SchoolYearDates): Period | Misfit {
  const last = lastDayOf(year);
  const { effectiveFrom = today, effectiveTo = null } = asked;
  const activeTo = effectiveTo ?? last;
  if (effectiveFrom < year.from || effectiveFrom > last) return outside('effectiveFrom');
  if (activeTo < year.from || activeTo > last) return outside('effectiveTo');
  if (activeTo < effectiveFrom) return { field: 'effectiveTo', issue: 'is before effectiveFrom' };
  return { effectiveFrom, effectiveTo, activeTo, ended: false };
}

const outside = (field: Misfit['field']): Misfit => ({ field, issue: 'is not of this school year' });

/** `before`, ended today; one that has not begun yet never does. Undefined where nothing is left to end. */
export function endedPeriod(before: Period | undefined, today: string): Period | undefined {
  if (!before || before.ended || before.activeTo < today) return undefined;
  const effectiveFrom = before.effectiveFrom < today ? before.effectiveFrom : today;
  return { effectiveFrom, effectiveTo: today, activeTo: today, ended: true };
}

export const holdsOn = ({ effectiveFrom, activeTo, ended }: Omit<Period, 'effectiveTo'>, date: string): boolean =>
  !ended && effectiveFrom <= date && date <= activeTo;
