// Finds out, without storing a row, whether a roster contains anything that an import would write or ask about. It makes the
// same decisions on the same facts as a preview, for some people at a time.
import type { Services } from '#core/module/services.ts';
import { type Db, inContext, inReadOnlyContext } from '#core/platform/db.ts';
import { grouped } from '#core/platform/pure/lists/grouped.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { accountEmail } from '../../engine/normal.ts';
import { type RowAction, type RowReasonCode, reasonsWithBaselineUpdate } from '../../enums.ts';
import type { LmsPreview } from '../rows.ts';
import { findEnrollments, type GivenEnrollment } from './enrollment-context.ts';
import { decideRosterEnrollment } from './enrollment-rows.ts';
import { findPeople } from './person-context.ts';
import { type DecidedPerson, decideRosterPerson } from './person-rows.ts';
import type { ReadRoster } from './read-roster.ts';
import { findSharedAccounts } from './shared-accounts.ts';
import { type EnrollmentToStage, enrollmentsOf, type PersonToStage, peopleToStage, type StagedRow } from './stage.ts';

/** The rows of a part, which is held in memory. */
const rowsOfPart = 1_000;

export interface Comparing {
  readonly services: Services;
  readonly owner: Pick<LmsPreview, 'organizationId' | 'provider' | 'courseExternalIds'>;
  readonly roster: ReadRoster;
  /** YYYY-MM-DD in the time zone of the organization. */
  readonly today: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the number of rows that a preview would have when all of them would be skipped without updating the baseline, else
 * undefined.
 */
export async function unchangedRows(comparing: Comparing): Promise<number | undefined> {
  const { services, owner, roster, signal } = comparing;
  const complete = owner.courseExternalIds.filter((id) => !roster.unread.has(id));
  const context = { ...comparing, complete: new Set(complete), repeated: repeatedEmails(roster) };
  let [rows, standing] = [0, 0];
  for (const part of roster.inParts(rowsOfPart)) {
    signal?.throwIfAborted();
    const found = await comparePart(context, part);
    if (!found) return undefined;
    rows += found.rows;
    standing += found.standing;
  }
  // An enrollment that the roster no longer contains would end, or update the baseline.
  return standing === (await standingEnrollments(services.db, owner, complete)) ? rows : undefined;
}

interface Part {
  readonly rows: number;
  /** The number of enrollments that are open at the source as at the last import. */
  readonly standing: number;
}

interface ComparisonContext extends Comparing {
  readonly complete: ReadonlySet<string>;
  readonly repeated: ReadonlySet<string>;
}

/** Returns undefined when a row would have an effect. */
async function comparePart(context: ComparisonContext, part: readonly StagedRow[]): Promise<Part | undefined> {
  const { services, owner, roster, today, complete } = context;
  const { organizationId, provider } = owner;
  const seen = peopleToStage(services, { organizationId, provider }, part);
  const people = firstOfEach(await inContext(services.db, { organizationId }, seen));
  const enrollments = enrollmentsOf(part, today);
  const decisions = await decidedPeople(context, people, enrollments);
  if (![...decisions.values()].every(hasNoEffect)) return undefined;
  const given = enrollments.map((row) => givenOf(row, decisions.get(row.personExternalId)));
  const found = await findEnrollments(services.db, { ...owner, complete }, given);
  const gradeOf = new Map(roster.courses.map(({ courseExternalId, grade }) => [courseExternalId, grade]));
  if (!found.every((one) => hasNoEffect(decideRosterEnrollment({ gradeOf, today }, one)))) return undefined;
  const standing = found.filter(({ base, courseExternalId }) => base?.isOpen && complete.has(courseExternalId));
  return { rows: people.length + enrollments.length, standing: standing.length };
}

/** Returns whether a commit would neither write the row nor update the baseline, and no conflict is open. */
const hasNoEffect = ({
  action,
  reasonCode,
  isStale,
}: {
  readonly action: RowAction;
  readonly reasonCode: RowReasonCode;
  readonly isStale: boolean;
}): boolean => action === 'skip' && !(isStale && reasonsWithBaselineUpdate.includes(reasonCode));

const firstOfEach = (people: readonly PersonToStage[]): PersonToStage[] => [
  ...new Map([...people].reverse().map((one) => [one.externalId, one])).values(),
];

interface DecidedAndGraded extends Omit<DecidedPerson, 'local' | 'changes'> {
  readonly grade: number | null;
}

async function decidedPeople(
  { services, owner, roster, complete, repeated }: ComparisonContext,
  people: readonly PersonToStage[],
  enrollments: readonly Pick<GivenEnrollment, 'personExternalId' | 'role' | 'content' | 'isOpen'>[],
): Promise<ReadonlyMap<string, DecidedAndGraded>> {
  const readable = enrollments.filter(({ content }) => !content.isBad);
  const rolesOf = grouped(readable, ({ personExternalId }) => personExternalId);
  const found = await findPeople(services.db, owner, people);
  const among = async (_: unknown, ids: readonly string[]) => ids.filter((id) => roster.has(id));
  const { organizationId, provider } = owner;
  const shared = await inReadOnlyContext(services.db, { organizationId }, (trx) =>
    findSharedAccounts(trx, { organizationId, provider, complete, among }, found),
  );
  return new Map(
    found.map((one) => {
      const enrolled = rolesOf.get(one.externalId) ?? [];
      const enrolledAs = enrolled.map(({ role }) => role);
      const openAs = enrolled.filter(({ isOpen }) => isOpen).map(({ role }) => role);
      const emailCount = repeated.has(one.content.email ?? '') ? 2 : 1;
      const isShared = shared.has(one.externalId);
      const { entity, action, reasonCode, linkedId, isStale } = decideRosterPerson({
        ...one,
        enrolledAs,
        openAs,
        emailCount,
        isShared,
      });
      return [one.externalId, { entity, action, reasonCode, linkedId, isStale, grade: one.content.grade }];
    }),
  );
}

const givenOf = (
  { courseExternalId, personExternalId, role, isOpen, content }: EnrollmentToStage,
  one: DecidedAndGraded | undefined,
): GivenEnrollment => ({
  courseExternalId,
  personExternalId,
  role,
  isOpen,
  content,
  person: one ? { entity: one.entity, reasonCode: one.reasonCode, action: one.action } : null,
  personUserId: one?.linkedId ?? null,
  personGrade: one?.grade ?? null,
});

/** Returns the addresses that several people of the roster have. */
function repeatedEmails(roster: ReadRoster): ReadonlySet<string> {
  const [seen, repeated] = [new Map<string, string>(), new Set<string>()];
  for (const part of roster.inParts(0)) {
    for (const row of part) {
      const email = row.kind === 'person' ? accountEmail(row.email) : undefined;
      if (row.kind !== 'person' || !email) continue;
      if ((seen.get(email) ?? row.externalId) !== row.externalId) repeated.add(email);
      seen.set(email, row.externalId);
    }
  }
  return repeated;
}

async function standingEnrollments(
  db: Db,
  { organizationId, provider }: Comparing['owner'],
  courseIds: readonly string[],
): Promise<number> {
  const [counted] = await inReadOnlyContext(db, { organizationId }, (trx) =>
    rowsOf<{ count: number }>(
      trx,
      `select count(*)::integer as count from lms_enrollment
       where organization_id = :organizationId and provider = :provider and is_open
         and course_external_id = any(:courseIds::text[])`,
      { organizationId, provider, courseIds: [...courseIds] },
    ),
  );
  return counted?.count ?? 0;
}
