// People who read recommendations about tiers and decide, over HTTP, and all rows that a decision may write.
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import { signIn } from '../../../harness/factories.ts';
import type { Reply } from '../../../harness/fetch.ts';
import type { Json, Pupil } from '../../interventions/workflow/draft-bodies.ts';
import { type Known, useKnown } from '../situations/known.ts';

export interface Deciding extends Known {
  /** Default token: that of the pupil's teacher. */
  get(pupil: Pupil, path: string, token?: string): Promise<Reply<Json>>;
  /** POST evaluate; asserts status 200. */
  evaluate(pupil: Pupil): Promise<Json>;
  /** Asserts status 200. */
  recommendation(pupil: Pupil): Promise<Json>;
  /** With the present recommendation, unless the body names another id. */
  commit(pupil: Pupil, body: Json, token?: string): Promise<Reply<Json>>;
  alerts(pupil: Pupil): Promise<Json[]>;
  decisions(pupil: Pupil): Promise<Json[]>;
  /** All rows that a decision writes, to be compared after a refusal. */
  written(pupil: Pupil): Promise<Json>;
  /** This number of sessions in each week from this Sunday on, on its first days. */
  weekly(pupil: Pupil, from: string, counts: readonly number[]): Promise<void>;
}

export function useDeciding<Context>(test: Test<Context>): Deciding {
  const known = useKnown(test);
  const { app } = known.plans.shell;
  const { owner } = app.database;
  const tokenOf = ({ teacher }: Pupil) => signIn(app, teacher);
  const rows = (table: string, { organizationId, id }: Pupil, order: string): Promise<Json[]> =>
    inContext(owner, { organizationId }, (trx) => trx(table).where({ organizationId, studentId: id }).orderBy(order));
  const deciding: Deciding = {
    ...known,
    get: async (pupil, path, token) => app.get(path, { token: token ?? (await tokenOf(pupil)) }),
    async evaluate(pupil) {
      const reply = await app.post<Json>(`${pathOf(pupil)}/evaluate`, {}, { token: await tokenOf(pupil) });
      assert.is(reply.status, 200, JSON.stringify(reply.body));
      return reply.body;
    },
    async recommendation(pupil) {
      const reply = await deciding.get(pupil, `${pathOf(pupil)}/recommendation`);
      assert.is(reply.status, 200, JSON.stringify(reply.body));
      return reply.body;
    },
    async commit(pupil, body, token) {
      const { recommendationId } = 'recommendationId' in body ? body : await deciding.recommendation(pupil);
      const sent = { ...body, recommendationId };
      return app.post(`${pathOf(pupil)}/decisions`, sent, { token: token ?? (await tokenOf(pupil)) });
    },
    alerts: (pupil) => rows('rti_alert', pupil, 'openedAt'),
    decisions: (pupil) => rows('rti_decision', pupil, 'seq'),
    async written(pupil) {
      const tables = ['rti_decision', 'tier_movement', 'rti_alert', 'rti_evaluation', 'skill_state'];
      const found = await Promise.all(tables.map((table) => rows(table, pupil, 'id')));
      const events = await inContext(owner, 'SUPER', (trx) =>
        trx('outbox').where({ organizationId: pupil.organizationId }).select('id'),
      );
      return { ...Object.fromEntries(tables.map((table, at) => [table, found[at]])), events: events.length };
    },
    async weekly(pupil, from, counts) {
      for (const [week, count] of counts.entries()) {
        for (let day = 0; day < count; day += 1) {
          await known.deliver(pupil, { deliveredOn: daysAfter(from, week * 7 + day) });
        }
      }
    },
  };
  return deciding;
}

export const pathOf = ({ id }: Pupil): string => `/api/rti/students/${id}`;

/** Against the recommendation, with a reason. */
export const overruled = { overrideCode: 'Rti_Evidence_Conflict_01' } as const;
