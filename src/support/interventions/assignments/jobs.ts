// Background work on assignments: reactions to enrollments, and a daily check of all open ones.
import { type CapabilityJobs, reaction } from '#core/module/jobs.ts';
import type { Services } from '#core/module/services.ts';
import { inContext, inReadOnlyContext } from '#core/platform/db.ts';
import { eachInTurn } from '#core/platform/pure/lists/each-in-turn.ts';
import { studentEnrollmentChanged } from '#identity/people/index.ts';
import { activeRules } from '#rules/rulesets/index.ts';
import { BundleAssignment } from '../assignment-rows/store.ts';
import { openStates } from '../engine/vocabulary.ts';
import { interventionRules } from '../rules/compiled.ts';
import { belowAimLine } from './aim-line.ts';
import { beginEndRun, type EndRun, withHalted } from './ends.ts';
import { dueOf, followEnrollment, studentsWithDueChanges, writeDue } from './follow.ts';
import { replaceProviders, studentsWithOtherProviders } from './providers.ts';

/** Reactions are given no services. Published versions never change, so a second cache of the rules is safe. */
const rulesInForce = activeRules();

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
    reaction({
      name: 'assignments-follow-providers',
      locks: 'support',
      to: [studentEnrollmentChanged],
      async toJobs(trx, events, now) {
        const { settings } = interventionRules((await rulesInForce.at(trx, now)).rules);
        if (settings.endWeeks === null) return [];
        for (const [organizationId, studentIds] of byOrganization(events)) {
          await replaceProviders(trx, { organizationId, studentIds, now });
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
  const checked = { services, organizationId, now, ends: await beginEndRun(services, organizationId) };
  await eachInTurn(
    allBehind(checked),
    (studentId) => checkStudent(checked, studentId),
    (error, studentId) =>
      services.log.error({ err: error, studentId }, 'assignments of a student could not be brought up to date'),
  );
}

interface Checked {
  readonly services: Services;
  readonly organizationId: string;
  readonly now: Date;
  readonly ends: EndRun | undefined;
}

/** Under the lock everything is read again: a person or another process may have been faster. */
const checkStudent = ({ services, organizationId, now, ends }: Checked, studentId: number): Promise<void> =>
  inContext(services.db, { organizationId }, async (trx) => {
    const rules = await rulesAt(services, trx, now);
    const followed = { organizationId, studentIds: [studentId], now };
    const due = await dueOf(trx, followed, rules, ends);
    const isExpiring = ends !== undefined && due.some(({ told }) => told === 'plan_expired');
    const known = isExpiring ? await withHalted(trx, services, ends, followed) : ends;
    await writeDue(trx, isExpiring ? await dueOf(trx, followed, rules, known) : due, now);
    if (ends) await replaceProviders(trx, followed);
  });

async function* allBehind(checked: Checked): AsyncGenerator<number> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const piece = await pieceAfter(checked, after);
    yield* piece.behind;
    after = piece.last;
  }
}

const rulesAt = async ({ rules }: Services, trx: Parameters<Services['rules']['at']>[0], now: Date) =>
  interventionRules((await rules.at(trx, now)).rules);

async function pieceAfter({ services, organizationId, now, ends }: Checked, after: number) {
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
    const due = await studentsWithDueChanges(trx, { organizationId, studentIds, now }, rules, ends);
    const others = ends ? await studentsWithOtherProviders(trx, { organizationId, studentIds }) : [];
    const behind = [...new Set([...due, ...others])];
    return { behind, last: studentIds.length < pieceSize ? undefined : studentIds.at(-1) };
  });
}
