// The nightly release (contract 70 §5, rule 5): publishes schools in which enough students were measured; once a season
// is over, all other schools, and then the organization. The job runs by the organization's time zone, and each
// school's season follows its own time zone.

import type { Services } from '#core/module/services.ts';
import { inReadOnlyContext, type Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { Organization, School } from '#identity/people/index.ts';
import type { CatalogueDocument } from '#rules/catalogue/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { protectionSettings } from '../rules/protection.ts';
import { publishOrganization } from './publish-organization.ts';
import { enoughPercent, isMeasured, publishSchool } from './publish-school.ts';
import { type Candidates, measuredEnough, notReleased } from './rows/candidates.ts';
import type { ReleasedSeason } from './rows/releases.ts';
import { type EndedSeason, seasonBefore, seasonOn } from './season-dates.ts';

type Parts = Pick<Services, 'db' | 'rules' | 'clock' | 'log'>;

interface LocalTurn {
  readonly organizationId: string;
  /** Local date of the organization. */
  readonly date: string;
  /** Local date since which the organization exists, when its row does not say so yet. */
  readonly since?: string;
}

/**
 * A school that fails delays its organization but no other school. The first failure is thrown at the end, so that the
 * job is retried.
 */
export async function nightlyRelease(services: Parts, turn: LocalTurn): Promise<void> {
  const { organizationId, date } = turn;
  const night = await read(services, turn);
  const failures: unknown[] = [];
  const publish: Publish = (schoolId, season, when) =>
    publishSchool(services, { organizationId, schoolId, season }, when).catch((error: unknown) => {
      services.log.error({ err: error, organizationId, schoolId }, 'a school could not be released');
      failures.push(error);
    });
  const ended = seasonBefore(date, night.calendar);
  if (ended && wasThere(night.organization, ended)) await publishEnded(services, night, ended, publish);
  const running = seasonOn(date, night.calendar);
  if (running) await publishRunning(services, night, running, publish);
  if (failures.length > 0) throw failures[0];
}

type Publish = (schoolId: string, season: ReleasedSeason, when: Parameters<typeof publishSchool>[2]) => Promise<void>;

async function publishEnded(services: Parts, night: Night, ended: EndedSeason, publish: Publish): Promise<void> {
  const { lastDay, ...season } = ended;
  const own = night.schools.filter((school) => wasThere(school, ended));
  const over = own.filter((school) => school.date > lastDay);
  for (const id of await asked(services, night, { season, schools: over }, notReleased))
    await publish(id, season, () => true);
  const organizationId = night.organization.id;
  await publishOrganization(services, { organizationId, season, schoolIds: own.map(({ id }) => id) });
}

async function publishRunning(services: Parts, night: Night, season: ReleasedSeason, publish: Publish): Promise<void> {
  const schools = night.schools.filter((school) => isSame(seasonOn(school.date, night.calendar), season));
  const enough = { percent: enoughPercent, threshold: protectionSettings(night.rules).threshold };
  const question: Question = (trx, candidates) => measuredEnough(trx, candidates, enough);
  for (const id of await asked(services, night, { season, schools }, question)) await publish(id, season, isMeasured);
}

interface LocalUnit {
  readonly id: string;
  /** Local date now. */
  readonly date: string;
  readonly since: string;
}

interface Night {
  readonly rules: RuleBundle;
  readonly calendar: Pick<CatalogueDocument, 'schoolYear' | 'seasons'>;
  readonly organization: LocalUnit;
  readonly schools: readonly LocalUnit[];
}

function read({ db, rules, clock }: Parts, { organizationId, since }: LocalTurn): Promise<Night> {
  const now = clock.now();
  const localUnit = ({ id, createdAt }: Pick<School, 'id' | 'createdAt'>, timeZone: string): LocalUnit => ({
    ...{ id, date: localDate(now, timeZone), since: localDate(new Date(createdAt), timeZone) },
  });
  return inReadOnlyContext(db, { organizationId }, async (trx) => {
    const [organization, schools, inForce] = await Promise.all([
      Organization.query(trx).findById(organizationId).throwIfNotFound(),
      School.query(trx).where({ organizationId }).select('id', 'createdAt', 'timeZone').orderBy('id'),
      rules.at(trx, now),
    ]);
    const { timeZone } = organization;
    return {
      rules: inForce.rules,
      calendar: inForce.rules.values<CatalogueDocument>('catalogue/subskills'),
      organization: { ...localUnit(organization, timeZone), ...(since !== undefined && { since }) },
      schools: schools.map((school) => localUnit(school, school.timeZone ?? timeZone)),
    };
  });
}

/** Units that were created after a season have no release for it. */
const wasThere = ({ since }: LocalUnit, { lastDay }: EndedSeason): boolean => since <= lastDay;

const isSame = (one: ReleasedSeason | undefined, other: ReleasedSeason): boolean =>
  one?.schoolYear === other.schoolYear && one.season === other.season;

interface Asked {
  readonly season: ReleasedSeason;
  readonly schools: readonly LocalUnit[];
}

type Question = (trx: Trx, candidates: Candidates) => Promise<string[]>;

function asked({ db }: Parts, { organization }: Night, { season, schools }: Asked, question: Question) {
  const of = { organizationId: organization.id, season, schoolIds: schools.map(({ id }) => id) };
  return inReadOnlyContext(db, of, (trx) => question(trx, of));
}
