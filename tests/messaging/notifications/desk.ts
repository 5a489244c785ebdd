// A school for tests of notification requests.

import type { Db } from '#core/platform/db.ts';
import { inContext } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { deliverWaiting } from '#messaging/notifications/dispatch/deliver.ts';
import { insertRequests, type NewRequest } from '#messaging/notifications/requests/rows.ts';
import { appendActivation, type DocumentName, lockActivations, type Versions } from '#rules/rulesets/index.ts';
import { buildClass, buildParent, buildStudent, buildTeacher, type UserRow } from '../../harness/factories.ts';
import type { TestApp } from '../../harness/http.ts';

/** A request whose subject does not matter to the test. */
export const aboutAlert = (studentId: number) => ({
  kind: 'skill_alert_assigned',
  payload: { studentId, alertId: newId(), subSkillCode: 'DEC_WORD' },
});

/** One class with a teacher, a child and the child's parent. No one signs in. */
export interface Schoolhouse {
  readonly organizationId: string;
  readonly people: Readonly<Record<'TEACHER' | 'PARENT' | 'STUDENT', UserRow>>;
}

export async function buildSchoolhouse(owner: Db): Promise<Schoolhouse> {
  const classRow = await buildClass(owner);
  const student = await buildStudent(owner, classRow);
  const people = {
    TEACHER: await buildTeacher(owner, classRow),
    PARENT: await buildParent(owner, student),
    STUDENT: student,
  };
  return { organizationId: classRow.organizationId, people };
}

export interface Desk {
  /** Inserts requests as a reaction does, each for an event of its own. Returns the ids of the events. */
  ask(...requests: Partial<NewRequest>[]): Promise<number[]>;
  deliver(): Promise<void>;
  /** The tenant's requests, in order of creation. */
  requests(): Promise<Record<string, unknown>[]>;
  /** The tenant's notifications. */
  notifications(): Promise<Record<string, unknown>[]>;
  /** Puts these versions in force; `undefined` removes the document. */
  pin(pins: Readonly<Record<DocumentName, number | undefined>>): Promise<void>;
}

let lastEvent = 1_000_000;

export function deskOf(app: TestApp, tenant: () => Schoolhouse): Desk {
  const { services, clock } = app;
  const { owner } = app.database;
  return {
    async ask(...requests) {
      const { organizationId, people } = tenant();
      const rows = requests.map((one): NewRequest => {
        lastEvent += 1;
        return {
          ...{ organizationId, eventId: lastEvent, recipientUserId: people.TEACHER.id, lane: 0 },
          ...aboutAlert(people.STUDENT.id),
          ...{ sourceType: 'rti_alert', sourceId: newId(), requestedAt: clock.now().toISOString() },
          ...one,
        };
      });
      await inContext(services.db, { organizationId }, (trx) => insertRequests(trx, rows));
      return rows.map(({ eventId }) => eventId);
    },
    deliver: () => deliverWaiting(services, tenant().organizationId),
    requests: () => owner('notification_request').where({ organizationId: tenant().organizationId }).orderBy('id'),
    notifications: () =>
      owner('notification').where({ organizationId: tenant().organizationId }).orderBy(['createdAt', 'id']),
    async pin(pins) {
      await inContext(owner, 'SUPER', async (trx) => {
        const timeline = await lockActivations(trx, clock);
        const versions = Object.entries({ ...timeline.current, ...pins }).filter(
          ([, version]) => version !== undefined,
        );
        const entry = { versions: Object.fromEntries(versions) as Versions, kind: 'activate' as const };
        await appendActivation(trx, { ...entry, reason: 'policy_change', activatedBy: null, approvedBy: [] }, timeline);
      });
      clock.advance(1);
    },
  };
}
