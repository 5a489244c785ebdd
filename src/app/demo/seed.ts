// Creates the organizations of the demo, once. An interrupted seeding is resumed: an organization gets its slug only
// when it is complete.
import { setTimeout as sleep } from 'node:timers/promises';
import { activeMeasurement, formsFor } from '#assessment/measurement/index.ts';
import type { Services } from '#core/module/services.ts';
import { inContext } from '#core/platform/db.ts';
import { tryLock } from '#core/platform/locks.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { hashPassword, Organization, User } from '#identity/people/index.ts';
import { nightlyRelease, rebuildOrganization } from '#outcomes/aggregates/index.ts';
import type { CatalogueDocument } from '#rules/catalogue/index.ts';
import { childNamed } from './engine/child.ts';
import { classes, drawRoster } from './engine/roster.ts';
import { type DemoStudent, takeVisits } from './history.ts';
import { type DemoSpec, demo, passwordOf, sandbox } from './logins.ts';
import {
  endSeason,
  type HistoryDates,
  historyDates,
  studentsBefore,
  type TwoVisits,
  twoVisits,
} from './season-before.ts';
import { forEachClassroom } from './staff/classroom.ts';
import { decideTiers } from './staff/decide-tiers.ts';
import { giveSupport } from './staff/give-support.ts';
import { mergeDuplicate } from './staff/merge-duplicate.ts';
import { noteFlags } from './staff/note-flags.ts';
import { voidReading } from './staff/void-reading.ts';
import { gradesBelow, storeRoster, timeZone } from './store-roster.ts';

export interface SeedOptions {
  /** Seed of all random streams. */
  readonly seed?: number;
  readonly specs?: readonly DemoSpec[];
  /** Called after each group of students whose history is complete. */
  readonly onProgress?: (done: number, total: number) => void;
}

const defaultSeed = 20_260_801;
const waitMs = 250;

/**
 * Creates missing organizations and returns whether there were any. Background work must not run yet, because it would
 * evaluate the past as of today.
 */
export async function seedDemo(services: Services, options: SeedOptions = {}): Promise<boolean> {
  const { specs = [demo, sandbox] } = options;
  while (!(await allComplete(services, specs))) {
    const seeded = await services.db.transaction(async (trx) => {
      // This transaction only holds the lock; it is idle while the seeding runs.
      await trx.raw('set local idle_in_transaction_session_timeout = 0');
      // When two processes start at once, one creates the demo; the other finds it complete after waiting for the lock.
      if (!(await tryLock(trx, 'demoSeed')) || (await allComplete(services, specs))) return false;
      await seedMissing(services, specs, options);
      return true;
    });
    if (seeded) return true;
    await sleep(waitMs);
  }
  return false;
}

const allComplete = async (services: Services, specs: readonly DemoSpec[]) =>
  (await Promise.all(specs.map(({ slug }) => organizationNamed(services, slug)))).every(Boolean);

const organizationNamed = ({ db }: Services, slug: string): Promise<Organization | undefined> =>
  inContext(db, 'SUPER', async (trx) => Organization.query(trx).findOne({ slug }));

async function seedMissing(services: Services, specs: readonly DemoSpec[], options: SeedOptions): Promise<void> {
  const { seed = defaultSeed, onProgress = () => {} } = options;
  const rulesOf = services.clock.now();
  const drafts: Draft[] = [];
  for (const spec of specs) {
    if (!(await organizationNamed(services, spec.slug)))
      drafts.push(await draftOf(services, spec, `${seed}/${spec.slug}`));
  }
  const noteAll = async (list: readonly Draft[]) => {
    for (const { organization, dates } of list) await noteFlags(services, organization, dates.year, rulesOf);
  };
  await noteAll(drafts.filter(({ dates }) => gradesBelow(dates) === 0));
  const earlier = drafts.flatMap(({ organization, students, dates }) =>
    groupsOf(studentsBefore(students, dates)).map((group) => ({ organization, group })),
  );
  await inParallel(earlier, ({ organization, group }) => takeVisits(services, organization, group, rulesOf));
  for (const { organization, dates } of drafts) await endSeason(services, organization, dates, rulesOf);
  await noteAll(drafts.filter(({ dates }) => gradesBelow(dates) > 0));
  await takeAllVisits(services, drafts, rulesOf, onProgress);
  for (const { organization } of drafts) {
    await forEachClassroom(services, organization, rulesOf, giveSupport);
    await forEachClassroom(services, organization, rulesOf, decideTiers);
    await forEachClassroom(services, organization, rulesOf, voidReading);
    await mergeDuplicate(services, organization);
  }
  for (const draft of drafts) await complete(services, draft);
}

/** Creates the visits since the season before. */
async function takeAllVisits(
  services: Services,
  drafts: readonly Draft[],
  rulesOf: Date,
  onProgress: NonNullable<SeedOptions['onProgress']>,
): Promise<void> {
  const groups = drafts.flatMap(({ organization, students }) =>
    groupsOf(students.map((student) => ({ ...student, visits: student.visits.since }))).map((group) => ({
      ...{ organization, group },
    })),
  );
  const total = groups.reduce((sum, { group }) => sum + group.length, 0);
  let done = 0;
  await inParallel(groups, async ({ organization, group }) => {
    await takeVisits(services, organization, group, rulesOf);
    done += group.length;
    onProgress(done, total);
  });
}

interface Draft {
  readonly spec: DemoSpec;
  readonly organization: Organization;
  /** Dates as of the day on which the organization was created. */
  readonly dates: HistoryDates;
  readonly students: readonly Child[];
}

type Child = Omit<DemoStudent, 'visits'> & { readonly visits: TwoVisits };

/** Creates the draft organization, or finds that of an interrupted seeding, whose dates count from its creation. */
async function draftOf(services: Services, spec: DemoSpec, seedName: string): Promise<Draft> {
  const draftSlug = `${spec.slug}-unfinished`;
  const passwordHash = await hashPassword(passwordOf(services.config));
  const inForce = await schoolInForce(services);
  const { calendar } = inForce;
  const now = services.clock.now();
  const organization =
    (await organizationNamed(services, draftSlug)) ??
    (await inContext(services.db, 'SUPER', (trx) =>
      storeRoster(
        trx,
        { spec, draftSlug, seedName, passwordHash, ...historyDates(localDate(now, timeZone), calendar) },
        now,
      ),
    ));
  const dates = historyDates(dayOf(organization), calendar);
  return { spec, organization, dates, students: await studentsOf(services, organization, seedName, dates, inForce) };
}

const dayOf = ({ createdAt }: Organization): string => localDate(new Date(createdAt), timeZone);

interface SchoolInForce {
  readonly calendar: Pick<CatalogueDocument, 'schoolYear' | 'seasons'>;
  /** Returns the number of diagnostic parts of a grade. */
  readonly partsOf: (grade: number) => number;
}

async function schoolInForce(services: Services): Promise<SchoolInForce> {
  const rules = await activeMeasurement(services, services.db, services.clock.now());
  return {
    calendar: rules.bundle.values<CatalogueDocument>('catalogue/subskills'),
    partsOf: (grade) => formsFor(grade, rules).length,
  };
}

async function studentsOf(
  services: Services,
  organization: Organization,
  seedName: string,
  dates: HistoryDates,
  { partsOf }: SchoolInForce,
): Promise<Child[]> {
  const { id: organizationId } = organization;
  const rows = await inContext(services.db, { organizationId }, async (trx) =>
    User.query(trx).where({ primaryPersona: 'STUDENT' }).select('id', 'externalId'),
  );
  const idOf = new Map(rows.map(({ id, externalId }) => [externalId, id]));
  return drawRoster(seedName).students.flatMap(({ key, classIndex, studentIndex }) => {
    const studentId = idOf.get(key);
    const grade = classes[classIndex]?.grade;
    if (studentId === undefined || grade === undefined) return [];
    const name = `${seedName}/${key}`;
    return {
      studentId,
      grade,
      child: childNamed(name),
      visits: twoVisits({ name, classIndex, studentIndex, grade, parts: partsOf(grade) }, dates),
    };
  });
}

/**
 * Gives the organization its slug and makes it read-only where required. Its creation date becomes the start of its
 * history.
 */
async function complete(services: Services, { organization, spec, dates }: Draft): Promise<void> {
  const { id: organizationId } = organization;
  const createdAt = new Date(dates.firstYear.from).toISOString();
  await inContext(services.db, 'SUPER', async (trx) =>
    Organization.query(trx).findById(organizationId).patch({ slug: spec.slug, isDemo: spec.isDemo, createdAt }),
  );
  // Publishes the counts that can be published now, as the first nightly release would.
  await rebuildOrganization(services, organizationId);
  await nightlyRelease(services, { organizationId, date: localDate(services.clock.now(), timeZone) });
}

/** Students of one class who share mornings and evaluations. */
const groupSize = 5;

const groupsOf = (students: readonly DemoStudent[]): DemoStudent[][] =>
  Array.from({ length: Math.ceil(students.length / groupSize) }, (_, index) =>
    students.slice(index * groupSize, (index + 1) * groupSize),
  );

/** Keeps the database busy while this process computes, with fewer connections than the pool has. */
const groupsAtOnce = 4;

/** Runs work in parallel. The first failure stops the rest and is thrown when all running work has ended. */
async function inParallel<T>(list: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const queue = [...list];
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(next);
  };
  const stopping = () =>
    worker().catch((error: unknown) => {
      queue.length = 0;
      throw error;
    });
  const ends = await Promise.allSettled(Array.from({ length: groupsAtOnce }, stopping));
  const failure = ends.find((end) => end.status === 'rejected');
  if (failure) throw failure.reason;
}
