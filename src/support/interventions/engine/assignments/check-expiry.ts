// Evaluates the cases of `bundle/settings`: on which day a plan expires whose end has passed.
import { isDeepStrictEqual } from 'node:util';
import {
  errorFinding,
  type Finding,
  pinBundle,
  type RuleDocument,
  type ValueQuestion,
} from '#rules/rulesets/engine/index.ts';
import { type BundleSettings, bundleSettings } from '../bundles/settings.ts';
import { schoolCalendar } from './calendar.ts';
import { expiryFrom } from './ends.ts';

interface ExpiryCase {
  readonly name: string;
  /** Monday 1 to Sunday 7. */
  readonly weekend: readonly number[];
  /** Local dates, as are the other days. */
  readonly holidays: readonly string[];
  /** The day of the first daily run after the end. */
  readonly pastEndSince: string;
  readonly answer: { readonly expiresOn: string | null };
}

const members = ['name', 'weekend', 'holidays', 'pastEndSince', 'answer', 'acceptedChange'];

/** Pure. `document` has passed the schema of the family. */
export function expiryFindings({ document, cases }: ValueQuestion): readonly Finding[] {
  if (cases.length === 0) return [];
  const settings = settingsOf(document as unknown as RuleDocument);
  return cases.flatMap((one) => {
    if (!settings) return [errorFinding('CASE_FAILED', 'values_have_none', { case: one.name })];
    return caseFindings(one, settings);
  });
}

function settingsOf(document: RuleDocument): BundleSettings | undefined {
  const { family, key } = document.meta;
  return family === 'bundle' && key === 'settings' ? bundleSettings(pinBundle([document])) : undefined;
}

function caseFindings(one: ValueQuestion['cases'][number], settings: BundleSettings): Finding[] {
  const { name } = one;
  if (!isExpiryCase(one)) {
    const held = 'name, weekend, holidays, pastEndSince and answer';
    return [errorFinding('CASE_FAILED', 'members', { case: name, members: held })];
  }
  const { instructionalWeekDays, endWeeks } = settings;
  const calendar = schoolCalendar(one.weekend, one.holidays);
  const expiresOn = endWeeks === null ? null : expiryFrom(calendar, one.pastEndSince, instructionalWeekDays, endWeeks);
  if (isDeepStrictEqual({ expiresOn }, one.answer)) return [];
  const [expected, answer] = [JSON.stringify(one.answer), JSON.stringify({ expiresOn })];
  return [errorFinding('CASE_FAILED', 'answered_otherwise', { case: name, expected, answer })];
}

function isExpiryCase(value: object): value is ExpiryCase {
  const { weekend, holidays, pastEndSince, answer } = value as Partial<Record<keyof ExpiryCase, unknown>>;
  return (
    Object.keys(value).every((member) => members.includes(member)) &&
    [weekend, holidays].every(Array.isArray) &&
    typeof pastEndSince === 'string' &&
    typeof answer === 'object'
  );
}
