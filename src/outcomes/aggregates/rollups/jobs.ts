// Keeps counts of classes up to date within seconds of events, and rebuilds all of them every day.

import { macroUpdated } from '#assessment/skill-status/index.ts';
import type { EventOf } from '#core/module/events.ts';
import { type CapabilityJobs, reaction } from '#core/module/jobs.ts';
import { inContext } from '#core/platform/db.ts';
import { contextFlagChanged } from '#identity/context-flags/index.ts';
import { calendarChanged, studentEnrollmentChanged, studentGradeChanged } from '#identity/people/index.ts';
import { profileChanged } from '#support/interventions/index.ts';
import { beginRollupDay } from './rebuild.ts';
import { refreshOrganization } from './refresh.ts';
import { type CountedChanges, organizationsWaiting, requestCounts } from './requests.ts';

const rollupQueue = 'rollups';
/** Several changes in a class within this interval are counted once. */
const sweepEveryMs = 5_000;

const kinds = [
  ...[macroUpdated, profileChanged, contextFlagChanged],
  ...[studentEnrollmentChanged, studentGradeChanged, calendarChanged],
] as const;

type Event = EventOf<(typeof kinds)[number]>;

/** Extracts the changed students, classes and schools from events. */
function changesOf(events: readonly Event[]): CountedChanges {
  const students = (...topics: readonly Event['topic'][]) =>
    events.flatMap(({ organizationId, topic, payload }) =>
      topics.includes(topic) && 'studentId' in payload ? { organizationId, studentId: payload.studentId } : [],
    );
  return {
    evaluated: students('macro.updated', 'profile.changed', 'context_flag.changed'),
    moved: students('student.enrollment_changed'),
    classes: events.flatMap(({ organizationId, ...event }) =>
      event.topic === 'student.grade_changed' ? { organizationId, classId: event.payload.classId } : [],
    ),
    schools: events.flatMap(({ organizationId, ...event }) =>
      event.topic === 'calendar.changed' ? { organizationId, schoolId: event.payload.schoolId } : [],
    ),
  };
}

export const rollupJobs: CapabilityJobs = {
  reactions: [
    // The reaction only stores requests, which the sweep finds, so that nothing is counted in the relay's transaction.
    reaction({
      name: 'rollup-request',
      locks: 'rollupRequest',
      to: kinds,
      toJobs: async (trx, events, now) => {
        await requestCounts(trx, changesOf(events), now);
        return [];
      },
    }),
  ],
  handlers: [
    {
      queue: rollupQueue,
      concurrency: 1,
      priority: 'following',
      handle: (services, { organizationId }, stop) =>
        refreshOrganization(services, { organizationId: String(organizationId), stop }),
    },
  ],
  schedules: [
    {
      name: 'rollup-sweep',
      everyMs: sweepEveryMs,
      run: async ({ db }, queues) => {
        const waiting = await inContext(db, 'SUPER', organizationsWaiting);
        await queues.add(
          waiting.map(({ organizationId }) => ({
            ...{ queue: rollupQueue, id: `${rollupQueue}-${organizationId}`, data: { organizationId } },
          })),
        );
      },
    },
  ],
  daily: [
    {
      name: 'rollup-of-the-day',
      dailyAt: 0,
      of: 'organization',
      run: (services, _queues, turn) => beginRollupDay(services, turn),
    },
  ],
};
