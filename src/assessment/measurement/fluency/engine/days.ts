// Weeks between calendar dates as fractional numbers.
import { daysBetween } from '#core/platform/pure/dates/days.ts';

export const weeksBetween = (from: string, to: string): number => daysBetween(from, to) / 7;
