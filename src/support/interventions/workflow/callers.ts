// Personas who may change support, checked before the body, which holds the ids.
import type { Actor } from '#core/http/route.ts';
import type { AppScope } from '#core/module/route.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { AppError, denied, invalid } from '#core/platform/errors.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { daysAfter, daysBefore } from '#core/platform/pure/dates/days.ts';
import { Organization } from '#identity/people/index.ts';
import type { InterventionRules } from '../rules/compiled.ts';

export interface WorkflowCall<Body> {
  readonly services: Services;
  readonly trx: Trx;
  readonly actor: Actor;
  readonly body: Body;
  readonly now: Date;
}

const onlyFor = (reach: string, personas: readonly string[]): AppScope<null> => ({
  reach,
  resolve: async ({ actor }) => {
    if (!personas.includes(actor.persona)) throw denied();
    return { row: null };
  },
});

export const teachersAndAdminsOnly = onlyFor('S (ClassTeacher, admin)', ['TEACHER', 'ADMIN']);
export const teachersOnly = onlyFor('T', ['TEACHER']);

/**
 * Throws VALIDATION_ERROR for a start too far in the past or the future. `timeZone`: of the student when one was found, else
 * of the caller's organization.
 */
export async function requireStart(
  { trx, actor, now }: Pick<WorkflowCall<unknown>, 'trx' | 'actor' | 'now'>,
  startOn: string | undefined,
  timeZone: string | undefined,
  { settings }: Pick<InterventionRules, 'settings'>,
): Promise<void> {
  if (startOn === undefined) return;
  const zone = timeZone ?? (await organizationZone(trx, actor));
  if (zone === undefined) return;
  const today = localDate(now, zone);
  const isTooEarly = startOn < daysBefore(today, settings.startPastDays);
  if (isTooEarly || startOn > daysAfter(today, settings.startAheadDays)) throw invalid('startOn', 'out_of_range');
}

async function organizationZone(trx: Trx, { organizationId }: Actor): Promise<string | undefined> {
  if (organizationId === null) return undefined;
  const row = await Organization.query(trx).where({ id: organizationId }).select('timeZone').first();
  return row?.timeZone;
}

/** Returns a refusal, to be thrown after the rest of the body is checked; any other error is thrown at once. */
export function refusalAlone(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}
