// Publishes a school with its classes, once a season: counts and protection are computed without a lock, and all rows
// are written in one transaction. Two schools that are published concurrently do not see each other; this can only
// cause more suppression in the organization.
import type { Services } from '#core/module/services.ts';
import { inContext, inReadOnlyContext } from '#core/platform/db.ts';
import { acquireNamedLock } from '#core/platform/locks.ts';
import { bandDocuments } from '../rules/bands.ts';
import { type CountedSchool, countSchool, type SchoolTurn } from './count-school.ts';
import { newestPublishedSchools } from './published-schools.ts';
import { appendRelease, type NewRelease, releasedIn } from './rows/publish.ts';
import { schoolContentOf } from './school-cells.ts';

/** Percentage of counted students: once it is measured, the school does not wait for the end of the season. */
export const enoughPercent = 90;

export const isMeasured = ({ measured, students }: CountedSchool): boolean =>
  students > 0 && 100 * measured >= enoughPercent * students;

type Parts = Pick<Services, 'db' | 'rules' | 'clock'>;

/**
 * `when` decides from the counts whether to publish now. A school that is published already, or whose organization is,
 * is left unchanged.
 */
export async function publishSchool(
  services: Parts,
  turn: SchoolTurn,
  when: (counted: CountedSchool) => boolean,
): Promise<void> {
  const counted = await countSchool(services, turn, services.clock.now());
  if (!when(counted)) return;
  const { organizationId, schoolId, season } = turn;
  const out = await inReadOnlyContext(services.db, { organizationId }, (trx) => newestPublishedSchools(trx, turn));
  const content = schoolContentOf(counted, out);
  await inContext(services.db, { organizationId }, async (trx) => {
    await acquireNamedLock(trx, 'aggregates', organizationId);
    const released = await releasedIn(trx, organizationId, season);
    if (released.some(({ unit, unitId }) => unit === 'organization' || unitId === schoolId)) return;
    await appendRelease(trx, { ...headOf(counted), releasedAt: services.clock.now() }, content);
  });
}

function headOf(counted: CountedSchool): Omit<NewRelease, 'releasedAt'> {
  const { organizationId, schoolId: unitId, season, classes, rules } = counted;
  const heard = classes.filter(({ asOf }) => asOf !== null);
  const [newest] = heard.toSorted((one, other) => (String(one.asOf) < String(other.asOf) ? 1 : -1));
  const ruleVersions = { ...newest?.ruleVersions, ...protectedBy(rules) };
  return { organizationId, ...season, unit: 'school', unitId, asOf: newest?.asOf ?? null, ruleVersions };
}

/** Returns the version of the document whose constants protected the counts. */
export function protectedBy({ versions }: CountedSchool['rules']): Readonly<Record<string, number>> {
  const version = versions[bandDocuments.manager];
  return version === undefined ? {} : { [bandDocuments.manager]: version };
}
