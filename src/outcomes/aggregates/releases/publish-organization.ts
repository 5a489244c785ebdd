// Publishes an organization when its season is over, from what was counted of its schools when they were published: so its
// counts are theirs added up, whatever has happened since.
import type { Services } from '#core/module/services.ts';
import { inContext, inReadOnlyContext, type Trx } from '#core/platform/db.ts';
import { acquireNamedLock } from '#core/platform/locks.ts';
import { sum } from '#core/platform/pure/lists/sum.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { protectOrganization } from '../engine/organization.ts';
import type { Published } from '../engine/units.ts';
import { allOut } from './out.ts';
import { protectedBy } from './publish-school.ts';
import { countedSubjects, type ReleasedSubject, releasesOf } from './rows/counted.ts';
import { appendRelease, type NewCell, releasedIn } from './rows/publish.ts';
import type { ReleasedSeason } from './rows/releases.ts';
import { spaceKind } from './spaces/all.ts';

export interface OrganizationTurn {
  readonly organizationId: string;
  readonly season: ReleasedSeason;
  /** Without all of them it waits: a school that came later would say what the organization hides. */
  readonly schoolIds: readonly string[];
}

type Parts = Pick<Services, 'db' | 'rules' | 'clock'>;

export async function publishOrganization(services: Parts, turn: OrganizationTurn): Promise<void> {
  const { organizationId, season } = turn;
  const now = services.clock.now();
  const read = <T>(work: (trx: Trx) => Promise<T>) => inReadOnlyContext(services.db, { organizationId }, work);
  if (await read((trx) => isOut(trx, turn))) return;
  const { rules } = await read((trx) => services.rules.at(trx, now));
  const cells: NewCell[] = [];
  for (const subject of await read((trx) => countedSubjects(trx, organizationId, season))) {
    const out = await read((trx) => allOut(trx, turn, subject));
    cells.push(cellOf(organizationId, subject, out, rules));
  }
  const { asOf, ruleVersions } = await read((trx) => releasesOf(trx, organizationId, season));
  await inContext(services.db, { organizationId }, async (trx) => {
    await acquireNamedLock(trx, 'aggregates', organizationId);
    if (await isOut(trx, turn)) return;
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

/** It is out already, or a school is missing. */
async function isOut(trx: Trx, { organizationId, season, schoolIds }: OrganizationTurn): Promise<boolean> {
  const released = await releasedIn(trx, organizationId, season);
  const known = new Set(released.map(({ unitId }) => unitId));
  return released.some(({ unit }) => unit === 'organization') || schoolIds.some((id) => !known.has(id));
}

function cellOf(
  organizationId: string,
  { space, subject }: ReleasedSubject,
  out: Published,
  inForce: RuleBundle,
): NewCell {
  const classes = out.schools.flatMap((school) => school.classes);
  const students = sum(classes.flatMap((one) => Object.values(one.counts)));
  const counts = protectOrganization(out, spaceKind(space).protection(inForce));
  return { unit: 'organization', unitId: organizationId, space, subject, students, counts };
}
