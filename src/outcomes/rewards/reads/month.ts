// Compares the month so far with the same days of the previous month of the same student.
import { dateOfDay, dayNumber, daysBefore } from '#core/platform/pure/dates/days.ts';

interface Span {
  /** Local dates, both included. */
  readonly from: string;
  readonly to: string;
}

const startOfMonth = (date: string): string => `${date.slice(0, 8)}01`;

/** A shorter previous month ends with its last day. */
export function monthSpans(today: string): { readonly now: Span; readonly before: Span } {
  const from = startOfMonth(today);
  const lastBefore = daysBefore(from, 1);
  const firstBefore = startOfMonth(lastBefore);
  const sameDay = dateOfDay(dayNumber(firstBefore) + dayNumber(today) - dayNumber(from));
  return { now: { from, to: today }, before: { from: firstBefore, to: sameDay < lastBefore ? sameDay : lastBefore } };
}

export const countIn = ({ from, to }: Span, dates: readonly string[]): number =>
  dates.filter((date) => from <= date && date <= to).length;
