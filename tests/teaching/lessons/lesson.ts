// A class of grade 2 with students who have an assignment of BND-DECODE-01, who are halted, or who have no assignment, and
// helpers that create lessons for them and change their state.
import { randomUUID } from 'node:crypto';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import type { Blueprint } from '#teaching/lesson-blueprints/index.ts';
import { signIn } from '../../harness/factories.ts';
import type { Reply } from '../../harness/fetch.ts';
import { halting } from '../../support/interventions/classroom.ts';
import { type Json, type Plans, type Pupil, usePlans } from '../../support/interventions/workflow/draft-bodies.ts';
import { buildBlueprint } from '../lesson-blueprints/rows.ts';

export interface Lesson {
  readonly plans: Plans;
  /** Students with an active assignment of the bundle. */
  readonly one: Pupil;
  readonly two: Pupil;
  /** A measured student without an assignment. */
  readonly idle: Pupil;
  /** A halted student. */
  readonly halted: Pupil;
  readonly unmeasured: Pupil;
  blueprint(overrides?: Partial<Blueprint>): Promise<string>;
  /** Creates a lesson; default: by the teacher, from a new blueprint, blended, for the students with an assignment. */
  create(body?: Json, token?: string): Promise<Reply<Json>>;
  /** Creates a lesson, applies these calls, and returns its id. */
  session(calls?: readonly ('accept' | 'distribute-online')[], body?: Json): Promise<string>;
  /** Requests as the teacher. */
  post(path: string, body?: unknown, token?: string): Promise<Reply<Json>>;
  edit(sessionId: string, body: Json, token?: string): Promise<Reply<Json>>;
  get(path: string, token?: string): Promise<Reply<Json>>;
  /** Requests as the student. */
  answer(pupil: Pupil, sessionId: string, responses: readonly Json[]): Promise<Reply<Json>>;
  /** Returns the organization's rows of a table, read as the owner. */
  rows(table: string): Promise<Json[]>;
}

/** Returns answers to the items of a blueprint in order: right ones, then wrong ones. */
export const answers = (right: number, wrong = 0): Json[] =>
  Array.from({ length: right + wrong }, (_, at) => ({
    ...{ clientResponseId: randomUUID(), itemRef: `item-${at + 1}`, selectedOptionIndex: at < right ? 0 : 1 },
  }));

/** Returns a getter of the lesson, which is available after the hooks have run. */
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
