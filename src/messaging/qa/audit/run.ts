// The audit of one organization or of the platform: one check after the other, each in a short transaction. A check that fails
// is not counted and does not affect the others.
import type { Services } from '#core/module/services.ts';
import { inContext } from '#core/platform/db.ts';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import { catalogueOf } from '../catalogue.ts';
import { checksAt } from '../checks/in-force.ts';
import type { QaCheck } from '../checks/read-checks.ts';
import { recordFindings } from '../log/record-findings.ts';
import { find } from '../probes/find.ts';
import type { Search } from '../probes/probe.ts';
import { keepResult } from './store.ts';

/** When `stop` is aborted the request stays open and is taken up again. Throws ENGINE_UNAVAILABLE without rules. */
export async function auditOrganization(services: Services, organizationId: string, stop?: AbortSignal): Promise<void> {
  const now = services.clock.now();
  const { ruleVersion, items } = await checksAt(services, services.db, now);
  const counts: Record<string, number | null> = {};
  for (const { check, probe, isElsewhere } of auditsOf(services, items, organizationId)) {
    if (stop?.aborted) return;
    counts[check.qaCheckId] = isElsewhere ? 0 : await countOf(services, check, probe, organizationId, now);
  }
  const result = { organizationId, asOf: now.toISOString(), ruleVersion, counts };
  const context = organizationId === platformOrganizationId ? ('SUPER' as const) : { organizationId };
  await inContext(services.db, context, (trx) => keepResult(trx, result));
}

/** Checks of the platform are left out for an organization, and checks of organizations for the platform. */
function auditsOf({ capabilities }: Services, checks: readonly QaCheck[], organizationId: string) {
  const isPlatform = organizationId === platformOrganizationId;
  const catalogue = catalogueOf(capabilities);
  return checks.flatMap((check) => {
    const probe = catalogue.get(check.qaCheckId);
    if (check.kind !== 'audit' || !check.enabled || !probe?.of || (isPlatform && probe.of === 'organization'))
      return [];
    return [{ check, probe, isElsewhere: !isPlatform && probe.of === 'platform' }];
  });
}

async function countOf(
  services: Services,
  check: QaCheck,
  probe: Search,
  organizationId: string,
  now: Date,
): Promise<number | null> {
  const looking = { services, now, threshold: check.threshold ?? 0 };
  try {
    const { violations, findings } = await find(
      probe,
      looking,
      probe.of === 'platform' ? null : organizationId,
      undefined,
    );
    await recordFindings(services, check, findings);
    return violations;
  } catch (error) {
    services.log.error({ err: error, checkId: check.qaCheckId, organizationId }, 'a check could not be made');
    return null;
  }
}
