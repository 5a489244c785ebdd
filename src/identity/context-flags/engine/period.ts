// The period of a flag: whole days, both ends included, within one school year.
import { lastDayOf, type SchoolYearDates } from '#rules/catalogue/engine/index.ts';

/** Dates are local dates of the organization, `YYYY-MM-DD`; they are compared as text. */
export interface FlagPeriod {
  readonly effectiveFrom: string;
  /** Null when the request named no end. */
  readonly effectiveTo: string | null;
  /** The last day: the requested one, otherwise the last day of the school year. */
  readonly activeTo: string;
  /** True when a person ended the flag: it no longer holds on `activeTo`, the day on which it was ended. */
  readonly ended: boolean;
}

export interface RequestedPeriod {
  readonly effectiveFrom?: string;
  readonly effectiveTo?: string;
}

/** The field of a request that is wrong, and the issue. */
export interface PeriodIssue {
  readonly field: 'effectiveFrom' | 'effectiveTo';
  readonly issue: string;
}

export const isPeriodIssue = (result: FlagPeriod | PeriodIssue): result is PeriodIssue => 'issue' in result;

/** Returns the requested period; the default is `today` to the end of the school year. */
export function periodOf(requested: RequestedPeriod, today: string, year: SchoolYearDates): FlagPeriod | PeriodIssue {
  const last = lastDayOf(year);
  const { effectiveFrom = today, effectiveTo = null } = requested;
  const activeTo = effectiveTo ?? last;
  if (effectiveFrom < year.from || effectiveFrom > last) return outside('effectiveFrom');
  if (activeTo < year.from || activeTo > last) return outside('effectiveTo');
  if (activeTo < effectiveFrom) return { field: 'effectiveTo', issue: 'is before effectiveFrom' };
  return { effectiveFrom, effectiveTo, activeTo, ended: false };
}

const outside = (field: PeriodIssue['field']): PeriodIssue => ({ field, issue: 'is not of this school year' });

/** Returns `before`, ended today. A period that has not begun yet never holds. Undefined when there is nothing to end. */
export function endedPeriod(before: FlagPeriod | undefined, today: string): FlagPeriod | undefined {
  if (!before || before.ended || before.activeTo < today) return undefined;
  const effectiveFrom = before.effectiveFrom < today ? before.effectiveFrom : today;
  return { effectiveFrom, effectiveTo: today, activeTo: today, ended: true };
}

export const holdsOn = ({ effectiveFrom, activeTo, ended }: Omit<FlagPeriod, 'effectiveTo'>, date: string): boolean =>
  !ended && effectiveFrom <= date && date <= activeTo;
