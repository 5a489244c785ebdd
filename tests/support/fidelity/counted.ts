// Assignments whose deliveries are counted, over HTTP and by the service.
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import type { Job } from '#core/platform/queue/queue.ts';
import { fidelityJobs } from '#support/fidelity/jobs.ts';
import { relayAll } from '../../../workers/relay.ts';
import { signIn } from '../../harness/factories.ts';
import type { Reply } from '../../harness/fetch.ts';
import { capturedLog, noQueues } from '../../workers/support.ts';
import { type Sessions, useSessions } from '../interventions/deliveries/sessions.ts';
import type { Json, Pupil } from '../interventions/workflow/draft-bodies.ts';

/** The Sunday of the week in which the tests begin. */
export const sunday = '2026-01-11';

export interface Counted extends Sessions {
  /** Default token: that of the pupil's teacher. */
  get(pupil: Pupil, path: string, token?: string): Promise<Reply<Json>>;
  recompute(pupil: Pupil, assignmentId: string, token?: string): Promise<Reply<Json>>;
  /** Asserts status 200. */
  check(pupil: Pupil, assignmentId: string): Promise<Json>;
  /** This number of sessions in each week from this Sunday on, on its first days. */
  weekly(pupil: Pupil, from: string, counts: readonly number[]): Promise<void>;
  /** Runs the reactions to all events so far, and their jobs. */
  relay(): Promise<void>;
  snapshots(pupil: Pupil): Promise<Json[]>;
  current(pupil: Pupil): Promise<Json[]>;
  /** `fidelity.changed` of the pupil, oldest first. */
  changes(pupil: Pupil): Promise<Json[]>;
}

export function useCounted<Context>(test: Test<Context>): Counted {
  const sessions = useSessions(test);
  const { plans, deliver } = sessions;
  const { app, services } = plans.shell;
  const { owner } = app.database;
  const { log } = capturedLog();
  const tokenOf = ({ teacher }: Pupil) => signIn(app, teacher);
  const rowsOf = (table: string, { organizationId, id }: Pupil, order: string): Promise<Json[]> =>
    inContext(owner, { organizationId }, (trx) => trx(table).where({ organizationId, studentId: id }).orderBy(order));
  return {
    ...sessions,
    get: async (pupil, path, token) => app.get(path, { token: token ?? (await tokenOf(pupil)) }),
    recompute: async (pupil, id, token) =>
      app.post(`/api/fidelity/${id}/recompute`, {}, { token: token ?? (await tokenOf(pupil)) }),
    async check(pupil, id) {
      const reply = await app.get<Json>(`/api/fidelity/${id}/check`, { token: await tokenOf(pupil) });
      assert.is(reply.status, 200, JSON.stringify(reply.body));
      return reply.body;
    },
    async weekly(pupil, from, counts) {
      for (const [week, count] of counts.entries()) {
        for (let day = 0; day < count; day += 1) {
          await deliver(pupil, { deliveredOn: daysAfter(from, week * 7 + day) });
        }
      }
    },
    async relay() {
      const jobs: Job[] = [];
      const queues = { ...noQueues, add: async (more: readonly Job[]) => void jobs.push(...more) };
      await relayAll(services, queues, fidelityJobs.reactions ?? [], log);
      for (const { data } of jobs) await fidelityJobs.handlers?.[0]?.handle(services, data, AbortSignal.abort());
    },
    snapshots: (pupil) => rowsOf('fidelity_snapshot', pupil, 'id'),
    current: (pupil) => rowsOf('fidelity_current', pupil, 'assignmentId'),
    changes: ({ organizationId, id }) =>
      inContext(owner, 'SUPER', async (trx) => {
        const rows: { payload: Json }[] = await trx('outbox')
          .where({ organizationId, topic: 'fidelity.changed' })
          .whereRaw("payload ->> 'studentId' = ?", [String(id)])
          .orderBy('id')
          .select('payload');
        return rows.map(({ payload }) => payload);
      }),
  };
}

/** The numbers of a count. */
export const numbers = ({ planned, credited, rate, gate }: Json): readonly unknown[] => [planned, credited, rate, gate];
