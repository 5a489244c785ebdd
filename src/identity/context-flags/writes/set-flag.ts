// Sets, changes and ends a student's flag. Each write appends a row and, when results depend on the flag, an event.
import { appendEvents, newEvent } from '#core/module/events.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict, invalid } from '#core/platform/errors.ts';
import type { ActiveRules } from '#rules/rulesets/index.ts';
import { lockWritableStudents } from '../../people/index.ts';
import { dictionaryIn } from '../dictionary.ts';
import { endedPeriod, type FlagPeriod, isPeriodIssue, periodOf, type RequestedPeriod } from '../engine/period.ts';
import { contextFlagChanged } from '../events.ts';
import { type LocalDay, localDay } from '../local-day.ts';
import { type PresentedFlag, presentFlag } from '../present.ts';
import { appendFlag, type FlagRow, newestOf } from '../store.ts';
import { notInDictionary } from './refusals.ts';

export interface NewFlag extends RequestedPeriod {
  readonly flagCode: string;
  readonly ended?: boolean;
}

export interface FlagSubject {
  readonly id: number;
  readonly organizationId: string;
}

/**
 * Throws VALIDATION_ERROR for dates outside the school year or in the wrong order, CONFLICT `not_set` when there is
 * nothing to end, and NOT_FOUND for a student who was erased.
 */
export async function setFlag(
  services: { readonly rules: ActiveRules; readonly clock: Clock },
  trx: Trx,
  { id: studentId, organizationId }: FlagSubject,
  input: NewFlag,
  setBy: number,
): Promise<PresentedFlag> {
  await lockWritableStudents(trx, organizationId, [studentId]);
  const now = services.clock.now();
  const dictionary = dictionaryIn((await services.rules.at(trx, now)).rules);
  const { flagCode } = input;
  if (!dictionary.knows(flagCode)) throw notInDictionary();
  const day = await localDay(services, trx, organizationId, now);
  const row = await appendFlag(trx, {
    organizationId,
    studentId,
    flagCode,
    schoolYear: day.year.name,
    ...requiredPeriod(input, day, await newestOf(trx, { organizationId, studentId, flagCode })),
    setBy,
    setAt: now.toISOString(),
    setOn: day.date,
    ruleVersion: dictionary.ruleVersion,
  });
  const effect = dictionary.effectOf(flagCode);
  if (effect === 'review') {
    await appendEvents(trx, now, [newEvent(contextFlagChanged, organizationId, { studentId, flagId: row.id })]);
  }
  return presentFlag({ ...row, isNewest: true }, effect, day.date);
}

function requiredPeriod(input: NewFlag, { date, year }: LocalDay, before: FlagRow | undefined): FlagPeriod {
  if (input.ended) return requiredEnd(input, date, before);
  const period = periodOf(input, date, year);
  if (isPeriodIssue(period)) throw invalid(period.field, period.issue);
  return period;
}

function requiredEnd(input: NewFlag, today: string, before: FlagRow | undefined): FlagPeriod {
  for (const field of ['effectiveFrom', 'effectiveTo'] as const) {
    if (input[field] !== undefined) throw invalid(field, 'is not accepted together with ended');
  }
  const period = endedPeriod(before, today);
  if (!period) throw conflict('not_set', 'There is no flag of this code that could be ended.', 'flagCode');
  return period;
}
