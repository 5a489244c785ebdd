// Parses the dates of rosters: a day, the day of a date-time, D.M.YYYY, and a/b/YYYY. Only a whole column shows whether the
// month or the day comes first in a/b/YYYY.
import type { Read } from './parse-enums.ts';

const mostLength = 40;
const isoForm = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;
const timeAfter = '(?: \\d{1,2}:\\d{2}(?::\\d{2})?(?: ?[AP]M)?)?';
const dotForm = new RegExp(`^(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4})${timeAfter}$`, 'i');
const slashForm = new RegExp(`^(\\d{1,2})/(\\d{1,2})/(\\d{4})${timeAfter}$`, 'i');

type DateOrder = 'month first' | 'day first';

/** Returns YYYY-MM-DD, or undefined when there is no such day. */
function dayOf(year = '', month = '', day = ''): Read<string> {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const instant = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text) ? text : undefined;
}

function slashDay(text: string, order: DateOrder): Read<string> {
  const [, first, second, year] = slashForm.exec(text) ?? [];
  return order === 'month first' ? dayOf(year, first, second) : dayOf(year, second, first);
}

/** The dates of one column of a file, or of one member of the rows of a list. */
class DateColumn {
  readonly #fits: Record<DateOrder, boolean> = { 'month first': true, 'day first': true };
  #hasUnsettled = false;

  /**
   * Returns YYYY-MM-DD, null when there is no date, and undefined when it cannot be read. A date a/b/YYYY is returned as it
   * is, and settled when the whole column was read.
   */
  read(value: unknown): Read<string | null> {
    if (value === undefined || value === null) return null;
    const text = typeof value === 'string' ? value.trim() : '?';
    if (text === '') return null;
    if (text.length > mostLength) return undefined;
    if (slashForm.test(text)) return this.#noted(text);
    const [, year, month, day] = isoForm.exec(text) ?? [];
    if (year !== undefined) return dayOf(year, month, day);
    const [, dotDay, dotMonth, dotYear] = dotForm.exec(text) ?? [];
    return dotYear === undefined ? undefined : dayOf(dotYear, dotMonth, dotDay);
  }

  /** The column has a date that only the whole column settles. */
  get hasUnsettled(): boolean {
    return this.#hasUnsettled;
  }

  #noted(text: string): string {
    this.#hasUnsettled = true;
    for (const order of ['month first', 'day first'] as const)
      this.#fits[order] &&= slashDay(text, order) !== undefined;
    return text;
  }

  /** Returns the day for a result of `read`, or undefined when both orders fit all cells of the column or none does. */
  settled(read: string | null): Read<string | null> {
    if (!isUnsettled(read)) return read;
    const { 'month first': monthFirst, 'day first': dayFirst } = this.#fits;
    if (monthFirst === dayFirst) return undefined;
    return slashDay(read, monthFirst ? 'month first' : 'day first');
  }
}

export const isUnsettled = (read: string | null | undefined): read is string => read?.includes('/') ?? false;

/** The two date columns of a row that is valid for a period. */
export interface DateColumns {
  readonly from: DateColumn;
  readonly to: DateColumn;
}

export const newSpan = (): DateColumns => ({ from: new DateColumn(), to: new DateColumn() });
