// A class of grade 2 with students who work on BND-DECODE-01, of whom nothing may be decided, or who have no plan, and short ways
// to make a session for them and to move it on.
import { randomUUID } from 'node:crypto';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import type { Blueprint } from '#teaching/lesson-blueprints/index.ts';
import { signIn } from '../../harness/factories.ts';
import type { Reply } from '../../harness/fetch.ts';
import { halting } from '../../support/interventions/classroom.ts';
import { type Json, type Plans, type Pupil, usePlans } from '../../support/interventions/workflow/plans.ts';
import { buildBlueprint } from '../lesson-blueprints/rows.ts';

export interface Lesson {
  readonly plans: Plans;
  /** With an active plan of the bundle. */
  readonly one: Pupil;
  readonly two: Pupil;
  /** Measured, without a plan. */
  readonly idle: Pupil;
  /** Halted. */
  readonly halted: Pupil;
  readonly unmeasured: Pupil;
  blueprint(overrides?: Partial<Blueprint>): Promise<string>;
  /** By the teacher unless told otherwise; of a blueprint of its own, blended, for those with a plan. */
  create(body?: Json, token?: string): Promise<Reply<Json>>;
  /** One that was created, and moved on by these calls. Answers its id. */
  session(calls?: readonly ('accept' | 'distribute-online')[], body?: Json): Promise<string>;
  /** As the teacher. */
  post(path: string, body?: unknown, token?: string): Promise<Reply<Json>>;
  edit(sessionId: string, body: Json, token?: string): Promise<Reply<Json>>;
  get(path: string, token?: string): Promise<Reply<Json>>;
  /** As the student. */
  answer(pupil: Pupil, sessionId: string, responses: readonly Json[]): Promise<Reply<Json>>;
  /** What lies in a table for the organization, by the owner. */
  rows(table: string): Promise<Json[]>;
}

/** So many answers to the items of a blueprint from the first on: right ones, then wrong ones. */
export const answers = (right: number, wrong = 0): Json[] =>
  Array.from({ length: right + wrong }, (_, at) => ({
    ...{ clientResponseId: randomUUID(), itemRef: `item-${at + 1}`, selectedOptionIndex: at < right ? 0 : 1 },
  }));

/** `lesson()` once the hooks have run. */
export function useLesson<Context>(test: Test<Context>): () => Lesson {
  const plans = usePlans(test);
  const { app } = plans.shell;
  const { owner } = app.database;
  let made: Lesson | undefined;
  test.before(async () => {
    app.clock.set('2026-01-12T08:00:00.000Z');
    made = await lessonIn(plans);
  });

  async function lessonIn(of: Plans): Promise<Lesson> {
    const one = await of.pupil();
    const two = await of.classmate(one);
    const idle = await of.classmate(one);
    const halted = await of.classmate(one);
    await of.measure(halted, halting, 5);
    const unmeasured = await of.classmate(one, null);
    await of.given(one);
    await of.given(two);
    const token = await signIn(app, one.teacher);
    const { organizationId, classRow } = one;
    const lesson: Lesson = {
      ...{ plans: of, one, two, idle, halted, unmeasured },
      blueprint: (overrides) => buildBlueprint(owner, overrides),
      create: async (body = {}, by = token) => {
        const blueprintId = body.blueprintId ?? (await buildBlueprint(owner));
        const asked = { classId: classRow.id, recipientStudentIds: [one.id, two.id], deliveryMode: 'blended' };
        return app.post('/api/sessions/from-blueprint', { ...asked, blueprintId, ...body }, { token: by });
      },
      async session(calls = [], body) {
        const { body: view } = await lesson.create(body);
        for (const call of calls) await lesson.post(`/api/sessions/${view.sessionId}/${call}`);
        return String(view.sessionId);
      },
      post: (path, body = {}, by = token) => app.post(path, body, { token: by }),
      edit: (sessionId, body, by = token) => app.patch(`/api/sessions/${sessionId}/edit`, body, { token: by }),
      get: (path, by = token) => app.get(path, { token: by }),
      answer: async ({ id }, sessionId, responses) => {
        const [user] = await inContext(owner, 'SUPER', (trx) => trx('app_user').where({ id }));
        const by = await signIn(app, user);
        return app.post(`/api/sessions/${sessionId}/responses`, { responses }, { token: by });
      },
      rows: (table) => inContext(owner, 'SUPER', (trx) => trx(table).where({ organizationId })),
    };
    return lesson;
  }
  return () => {
    assert.ok(made);
    return made as Lesson;
  };
}
