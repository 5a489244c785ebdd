// Evaluates the cases of `rti/decision-packet`: from which days an alert or packet is due and overdue.
import { isDeepStrictEqual } from 'node:util';
import {
  errorFinding,
  type Finding,
  pinBundle,
  type RuleDocument,
  type ValueQuestion,
} from '#rules/rulesets/engine/index.ts';
import { schoolCalendar } from '../../../interventions/engine/index.ts';
import { type DueSettings, rtiSettings } from '../settings.ts';
import { type RtiAlertKind, rtiAlertKinds } from '../vocabulary.ts';
import { type DueDays, dueDaysFrom } from './due-days.ts';

interface DueCase {
  readonly name: string;
  readonly of: RtiAlertKind | 'packet';
  /** Monday 1 to Sunday 7. */
  readonly weekend: readonly number[];
  /** Local dates. */
  readonly holidays: readonly string[];
  /** The local date from which the days are counted. */
  readonly from: string;
  readonly answer: DueDays;
}

const members = ['name', 'of', 'weekend', 'holidays', 'from', 'answer', 'acceptedChange'];

/** Pure. `document` has passed the schema of the family. */
export function dueFindings({ document, cases }: ValueQuestion): readonly Finding[] {
  if (cases.length === 0) return [];
  const due = dueSettingsOf(document as unknown as RuleDocument);
  return cases.flatMap((one) => {
    if (!due) return [errorFinding('CASE_FAILED', 'values_have_none', { case: one.name })];
    return caseFindings(one, due);
  });
}

/** Undefined for a document without due days. */
function dueSettingsOf(document: RuleDocument): DueSettings | undefined {
  const { family, key } = document.meta;
  return family === 'rti' && key === 'decision-packet'
    ? (rtiSettings(pinBundle([document])).due ?? undefined)
    : undefined;
}

function caseFindings(one: ValueQuestion['cases'][number], due: DueSettings): Finding[] {
  const { name } = one;
  if (!isDueCase(one)) {
    const held = 'name, of, weekend, holidays, from and answer';
    return [errorFinding('CASE_FAILED', 'members', { case: name, members: held })];
  }
  const found = dueDaysFrom(schoolCalendar(one.weekend, one.holidays), one.from, due[one.of]);
  if (isDeepStrictEqual(found, one.answer)) return [];
  const [expected, answer] = [JSON.stringify(one.answer), JSON.stringify(found)];
  return [errorFinding('CASE_FAILED', 'answered_otherwise', { case: name, expected, answer })];
}

function isDueCase(value: object): value is DueCase {
  const { of, weekend, holidays, from, answer } = value as Partial<Record<keyof DueCase, unknown>>;
  return (
    Object.keys(value).every((member) => members.includes(member)) &&
    [...rtiAlertKinds, 'packet'].includes(String(of)) &&
    [weekend, holidays].every(Array.isArray) &&
    typeof from === 'string' &&
    typeof answer === 'object'
  );
}
