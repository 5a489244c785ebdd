// Weeks between calendar dates, as the trend counts them: broken ones are parts of a week.
import { daysBetween } from '#core/platform/pure/dates/days.ts';

export const weeksBetween = (from: string, to: string): number => daysBetween(from, to) / 7;
