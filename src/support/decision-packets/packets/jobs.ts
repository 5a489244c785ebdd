// Background work on packets: a deferral ends (PKT-06), a student leaves (PKT-10), and the due days of those
// under review. The daily job also handles lost events.

import { appendEvents } from '#core/module/events.ts';
import { type CapabilityJobs, reaction } from '#core/module/jobs.ts';
import type { Services } from '#core/module/services.ts';
import { inContext, inReadOnlyContext, type Trx } from '#core/platform/db.ts';
import { eachInTurn } from '#core/platform/pure/lists/each-in-turn.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { studentEnrollmentChanged } from '#identity/people/index.ts';
import { lockSupport } from '../../interventions/index.ts';
import { beginDueRun, followDueDays, undueState } from '../../rti/index.ts';
import { packetStage } from '../events.ts';
import { changePacket, DecisionPacket, unassembled, undecided } from '../rows/store.ts';
import { duePackets } from './due.ts';
import { closeOfThoseWhoLeft } from './reject.ts';

/** Students in one statement. */
const pieceSize = 500;

export const packetJobs: CapabilityJobs = {
  reactions: [
    reaction({
      name: 'packets-follow-enrollment',
      locks: 'support',
      to: [studentEnrollmentChanged],
      async toJobs(trx, events, _now, clock) {
        for (const organizationId of new Set(events.map((event) => event.organizationId))) {
          const own = events.filter((event) => event.organizationId === organizationId);
          const studentIds = [...new Set(own.map(({ payload }) => payload.studentId))];
          await closeOfThoseWhoLeft(trx, clock, { organizationId, studentIds });
        }
        return [];
      },
    }),
  ],
  daily: [
    {
      name: 'packets-of-the-day',
      dailyAt: 2,
      of: 'organization',
      run: (services, _queues, { organizationId }) => checkPackets(services, organizationId, services.clock.now()),
    },
  ],
};

/**
 * Each student with a due change at `now` has a transaction of their own. When one fails the others continue, and the day
 * stays open.
 */
export async function checkPackets(services: Services, organizationId: string, now: Date): Promise<void> {
  const failures: unknown[] = [];
  const tells = (await beginDueRun(services, organizationId)) !== undefined;
  await eachInTurn(
    studentsDue(services, organizationId, now),
    (studentId) =>
      inContext(services.db, { organizationId }, (trx) =>
        followDay(trx, services, { organizationId, studentId, tells }),
      ),
    (error, studentId) =>
      services.log.error({ err: error, studentId }, 'packets of a student could not be brought up to date'),
  ).catch((error: unknown) => failures.push(error));
  await followDueDays(services, organizationId, duePackets).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

async function* studentsDue(services: Services, organizationId: string, now: Date): AsyncGenerator<number> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const due = await studentsAfter(services, organizationId, after, now);
    yield* due;
    after = due.length < pieceSize ? undefined : due.at(-1);
  }
}

/** A day begins in the time zone of the packet. */
const isDue = "status = 'deferred' and defer_until <= (:now::timestamptz at time zone time_zone)::date";

const studentsAfter = (services: Services, organizationId: string, after: number, now: Date): Promise<number[]> =>
  inReadOnlyContext(services.db, { organizationId }, async (trx) => {
    const rows = await rowsOf<{ studentId: number }>(
      trx,
      `select distinct student_id from decision_packet p
       where organization_id = :organizationId and student_id > :after and closed_at is null
         and ((${isDue}) or not exists (select from enrollment e where e.organization_id = p.organization_id
           and e.student_id = p.student_id and e.enrolled_to is null))
       order by student_id limit :pieceSize`,
      { organizationId, after, pieceSize, now: now.toISOString() },
    );
    return rows.map(({ studentId }) => studentId);
  });

interface PacketDay {
  readonly organizationId: string;
  readonly studentId: number;
  /** Whether people are told: not on a demo, and not under rules without due days. */
  readonly tells: boolean;
}

async function followDay(
  trx: Trx,
  { clock }: Services,
  { organizationId, studentId, tells }: PacketDay,
): Promise<void> {
  await lockSupport(trx, organizationId, [studentId]);
  await closeOfThoseWhoLeft(trx, clock, { organizationId, studentIds: [studentId] });
  const now = clock.now();
  const due = await DecisionPacket.query(trx)
    .where({ organizationId, studentId })
    .whereRaw(isDue.replace(':now', '?'), [now.toISOString()])
    .orderBy('id');
  for (const row of due) {
    await changePacket(trx, row, {
      status: 'draft',
      ...unassembled,
      ...undecided,
      ...undueState,
      evidence: [],
      gates: [],
    });
    if (tells) await appendEvents(trx, now, [packetStage(row, 'packet_due_again')]);
  }
}
