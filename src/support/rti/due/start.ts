// The first daily run of an organization by rules with due days: what was open before is counted from it, so that a new version
// of the rules makes nothing overdue.
import type { Services } from '#core/module/services.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { modelOf } from '#core/platform/model.ts';
import { Organization } from '#identity/people/index.ts';
import type { DueSettings } from '../engine/settings.ts';
import { rtiRules } from '../rules/compiled.ts';

const DueStart = modelOf<{ readonly organizationId: string; readonly firstRunAt: string }>('due_start', {
  id: 'organizationId',
});

export interface DueRun {
  readonly organizationId: string;
  /** IANA name, of the organization. */
  readonly timeZone: string;
  readonly due: DueSettings;
  readonly firstRunAt: string;
}

/** Undefined for a demo, and under rules without due days. Throws ENGINE_UNAVAILABLE. */
export const beginDueRun = (services: Services, organizationId: string): Promise<DueRun | undefined> =>
  inContext(services.db, { organizationId }, async (trx) => {
    const now = services.clock.now();
    const { due } = rtiRules((await services.rules.at(trx, now)).rules).settings;
    const organization = await organizationOf(trx, organizationId);
    if (due === null || !organization || organization.isDemo) return undefined;
    const { timeZone } = organization;
    return { organizationId, timeZone, due, firstRunAt: await firstRun(trx, organizationId, now) };
  });

const organizationOf = (trx: Trx, organizationId: string) =>
  Organization.query(trx).findById(organizationId).select('isDemo', 'timeZone');

/** What a run would begin with; `firstRunAt` is null before the first one. Undefined for a demo. */
export async function dueStartOf(
  trx: Trx,
  organizationId: string,
): Promise<(Pick<DueRun, 'timeZone'> & { readonly firstRunAt: string | null }) | undefined> {
  const organization = await organizationOf(trx, organizationId);
  if (!organization || organization.isDemo) return undefined;
  const begun = await DueStart.query(trx).findById(organizationId);
  return { timeZone: organization.timeZone, firstRunAt: begun?.firstRunAt ?? null };
}

async function firstRun(trx: Trx, organizationId: string, now: Date): Promise<string> {
  const begun = { organizationId, firstRunAt: now.toISOString() };
  await DueStart.query(trx).insert(begun).onConflict('organizationId').ignore();
  return (await DueStart.query(trx).findById(organizationId).throwIfNotFound()).firstRunAt;
}
