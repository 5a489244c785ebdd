// Background work on assignments: reactions to enrollments, and a daily check of all open ones.
import { type CapabilityJobs, reaction } from '#core/module/jobs.ts';
import type { Services } from '#core/module/services.ts';
import { inContext, inReadOnlyContext } from '#core/platform/db.ts';
import { eachInTurn } from '#core/platform/pure/lists/each-in-turn.ts';
import { studentEnrollmentChanged } from '#identity/people/index.ts';
import { BundleAssignment } from '../assignment-rows/store.ts';
import { openStates } from '../engine/vocabulary.ts';
import { interventionRules } from '../rules/compiled.ts';
import { belowAimLine } from './aim-line.ts';
import { catchUp, followEnrollment, studentsWithDueChanges } from './follow.ts';

/** Students in one statement. */
const pieceSize = 500;

export const assignmentJobs: CapabilityJobs = {
  reactions: [
    reaction({
      name: 'assignments-follow-enrollment',
      locks: 'support',
      to: [studentEnrollmentChanged],
      async toJobs(trx, events, now) {
        for (const [organizationId, studentIds] of byOrganization(events)) {
          await followEnrollment(trx, { organizationId, studentIds, now });
        }
        return [];
      },
    }),
    belowAimLine,
  ],
  daily: [
    {
      name: 'assignments-of-the-day',
      dailyAt: 1,
      of: 'organization',
      run: (services, _queues, { organizationId }) => checkAssignments(services, organizationId, services.clock.now()),
    },
  ],
};

function byOrganization(
  events: readonly { readonly organizationId: string; readonly payload: { readonly studentId: number } }[],
): ReadonlyMap<string, number[]> {
  const found = new Map<string, number[]>();
  for (const { organizationId, payload } of events) {
    found.set(organizationId, [...(found.get(organizationId) ?? []), payload.studentId]);
  }
  return found;
}

/** Each student has a transaction of their own. When one fails the others continue, and the day stays open. */
export async function checkAssignments(services: Services, organizationId: string, now: Date): Promise<void> {
  await eachInTurn(
    allBehind(services, organizationId, now),
    (studentId) =>
      inContext(services.db, { organizationId }, async (trx) =>
        catchUp(trx, { organizationId, studentIds: [studentId], now }, await rulesAt(services, trx, now)),
      ),
    (error, studentId) =>
      services.log.error({ err: error, studentId }, 'assignments of a student could not be brought up to date'),
  );
}

async function* allBehind(services: Services, organizationId: string, now: Date): AsyncGenerator<number> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const piece = await pieceAfter(services, organizationId, after, now);
    yield* piece.behind;
    after = piece.last;
  }
}

const rulesAt = async ({ rules }: Services, trx: Parameters<Services['rules']['at']>[0], now: Date) =>
  interventionRules((await rules.at(trx, now)).rules);

async function pieceAfter(services: Services, organizationId: string, after: number, now: Date) {
  return inReadOnlyContext(services.db, { organizationId }, async (trx) => {
    const rows: { studentId: number }[] = await BundleAssignment.query(trx)
      .where({ organizationId })
      .where('studentId', '>', after)
      .whereIn('state', [...openStates])
      .distinct('studentId')
      .orderBy('studentId')
      .limit(pieceSize);
    const studentIds = rows.map(({ studentId }) => studentId);
    if (studentIds.length === 0) return { behind: [], last: undefined };
    const rules = await rulesAt(services, trx, now);
    const behind = await studentsWithDueChanges(trx, { organizationId, studentIds, now }, rules);
    return { behind, last: studentIds.length < pieceSize ? undefined : studentIds.at(-1) };
  });
}
