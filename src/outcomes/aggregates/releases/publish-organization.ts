// Publishes an organization when its season is over, from the counts of its schools at the time of their releases, so
// that its counts are the sums of theirs whatever has happened since.
import type { Services } from '#core/module/services.ts';
import { inContext, inReadOnlyContext, type Trx } from '#core/platform/db.ts';
import { acquireNamedLock } from '#core/platform/locks.ts';
import { sum } from '#core/platform/pure/lists/sum.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { protectOrganization } from '../engine/organization.ts';
import type { PublishedSchools } from '../engine/units.ts';
import { protectedBy } from './publish-school.ts';
import { allPublishedSchools } from './published-schools.ts';
import { countedSubjects, type ReleasedSubject, releasesOf } from './rows/counted.ts';
import { appendRelease, type NewCell, releasedIn } from './rows/publish.ts';
import type { ReleasedSeason } from './rows/releases.ts';
import { statisticKind } from './statistics/kinds.ts';

export interface OrganizationTurn {
  readonly organizationId: string;
  readonly season: ReleasedSeason;
  /**
   * The organization is published only after all of these: a later school would reveal what the organization
   * suppresses.
   */
  readonly schoolIds: readonly string[];
}

type Parts = Pick<Services, 'db' | 'rules' | 'clock'>;

export async function publishOrganization(services: Parts, turn: OrganizationTurn): Promise<void> {
  const { organizationId, season } = turn;
  const now = services.clock.now();
  const read = <T>(work: (trx: Trx) => Promise<T>) => inReadOnlyContext(services.db, { organizationId }, work);
  if (await read((trx) => isPublishedOrIncomplete(trx, turn))) return;
  const { rules } = await read((trx) => services.rules.at(trx, now));
  const cells: NewCell[] = [];
  for (const subject of await read((trx) => countedSubjects(trx, organizationId, season))) {
    const out = await read((trx) => allPublishedSchools(trx, turn, subject));
    cells.push(cellOf(organizationId, subject, out, rules));
  }
  const { asOf, ruleVersions } = await read((trx) => releasesOf(trx, organizationId, season));
  await inContext(services.db, { organizationId }, async (trx) => {
    await acquireNamedLock(trx, 'aggregates', organizationId);
    if (await isPublishedOrIncomplete(trx, turn)) return;
    const head = {
      organizationId,
      ...season,
      unit: 'organization',
      unitId: organizationId,
      releasedAt: now,
      asOf,
    } as const;
    await appendRelease(
      trx,
      { ...head, ruleVersions: { ...ruleVersions, ...protectedBy(rules) } },
      { cells, counts: [] },
    );
  });
}

/** Returns whether the organization is published already, or one of its schools is not. */
async function isPublishedOrIncomplete(
  trx: Trx,
  { organizationId, season, schoolIds }: OrganizationTurn,
): Promise<boolean> {
  const released = await releasedIn(trx, organizationId, season);
  const known = new Set(released.map(({ unitId }) => unitId));
  return released.some(({ unit }) => unit === 'organization') || schoolIds.some((id) => !known.has(id));
}

function cellOf(
  organizationId: string,
  { space, subject }: ReleasedSubject,
  out: PublishedSchools,
  inForce: RuleBundle,
): NewCell {
  const classes = out.schools.flatMap((school) => school.classes);
  const students = sum(classes.flatMap((one) => Object.values(one.counts)));
  const counts = protectOrganization(out, statisticKind(space).protection(inForce));
  return { unit: 'organization', unitId: organizationId, space, subject, students, counts };
}
