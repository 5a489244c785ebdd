// A service with measured students and their teachers, and helpers that assign bundles and read the written rows.
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import type { BundleAssignment } from '#support/interventions/assignment-rows/store.ts';
import { answersOf } from '../../../assessment/skill-status/evidence.ts';
import { type Shell, type Student, useShell } from '../../../assessment/skill-status/shell.ts';
import { buildTeacher, buildUser, signIn, type UserRow } from '../../../harness/factories.ts';
import type { Reply } from '../../../harness/fetch.ts';

export type Json = Readonly<Record<string, unknown>>;

export interface Pupil extends Student {
  /** The teacher of the class. */
  readonly teacher: UserRow;
  /** The teacher's token, valid for an hour or less. */
  readonly token: string;
}

/** A Monday in the middle of a school year, 11:00 in Riyadh. */
export const monday = '2026-01-12T08:00:00.000Z';
export const today = '2026-01-12';

/** The first part of grade 2 (contract 52 §11). */
export const allRight = {
  ...{ LK_SOUND: 'CCCC', DEC_SYLLABLE: 'CCCC', DEC_WORD: 'CCCC' },
  ...{ LIS_LITERAL: 'CCCC', VOC_MEANING: 'CCCC', RC_LITERAL: 'CCCC' },
};
/** BND-DECODE-01 is recommended, with the most intensive scaffold tier. */
export const wordsWrong = { ...allRight, DEC_WORD: 'UUUU' };

export interface Plans {
  readonly shell: Shell;
  pupil(answers?: Readonly<Record<string, string>>): Promise<Pupil>;
  /** Of the same class and teacher; null: never measured. */
  classmate(of: Pupil, answers?: Readonly<Record<string, string>> | null): Promise<Pupil>;
  measure(pupil: Student, answers: Readonly<Record<string, string>>, from?: number): Promise<void>;
  admin(pupil: Pupil): Promise<string>;
  activate(pupil: Pupil, body?: Json, token?: string): Promise<Reply<Json>>;
  review(pupil: Pupil, body: Json, token?: string): Promise<Reply<Json>>;
  /** Activates the recommended bundle. Returns the id of its assignment. */
  given(pupil: Pupil, body?: Json): Promise<string>;
  row(pupil: Pupil, assignmentId: string): Promise<BundleAssignment>;
  /** Changes columns as the owner of the tables. */
  change(pupil: Pupil, assignmentId: string, columns: Json): Promise<void>;
  /** Assignments and events, to be compared after a refusal. */
  written(pupil: Pupil): Promise<Json>;
  events(pupil: Pupil): Promise<Json[]>;
}

export function usePlans<Context>(test: Test<Context>): Plans {
  const shell = useShell(test);
  const { app } = shell;
  const { owner } = app.database;
  test.before.each(() => app.clock.set(monday));

  async function measure(student: Student, answers: Readonly<Record<string, string>>, from = 1): Promise<void> {
    const finishedAt = app.clock.now().toISOString();
    await shell.diagnostic(student, answersOf(answers, from), { finishedAt, announced: false });
    await shell.recompute(student);
  }

  const plans: Plans = {
    shell,
    measure,
    async pupil(answers = wordsWrong) {
      const student = await shell.student();
      const teacher = await buildTeacher(owner, student.classRow);
      await measure(student, answers);
      return { ...student, teacher, token: await signIn(app, teacher) };
    },
    async classmate({ token, teacher, ...of }, answers = wordsWrong) {
      const student = await shell.classmate(of);
      if (answers !== null) await measure(student, answers);
      return { ...student, token, teacher };
    },
    async admin({ organizationId }) {
      return signIn(app, await buildUser(owner, 'ADMIN', { organizationId }));
    },
    async activate({ id, teacher }, body = {}, token) {
      const asked = { studentId: id, bundle_id: 'BND-DECODE-01', ...body };
      return app.post('/api/workflow/activate', asked, { token: token ?? (await signIn(app, teacher)) });
    },
    review: async ({ teacher }, body, token) =>
      app.post('/api/workflow/review', body, { token: token ?? (await signIn(app, teacher)) }),
    async given(pupil, body = {}) {
      const reply = await plans.activate(pupil, body);
      assert.is(reply.status, 201, JSON.stringify(reply.body));
      return String(reply.body.assignmentId);
    },
    row: ({ organizationId }, id) =>
      inContext(owner, { organizationId }, (trx) => trx('bundle_assignment').where({ organizationId, id }).first()),
    change: ({ organizationId }, id, columns) =>
      inContext(owner, { organizationId }, async (trx) => {
        await trx('bundle_assignment').where({ organizationId, id }).update(columns);
      }),
    written: ({ organizationId }) =>
      inContext(owner, 'SUPER', async (trx) => ({
        assignments: await trx('bundle_assignment').where({ organizationId }).orderBy('id'),
        outbox: (await trx('outbox').where({ organizationId }).select('id')).length,
      })),
    events: ({ organizationId }) =>
      inContext(owner, 'SUPER', (trx) =>
        trx('outbox')
          .where({ organizationId })
          .whereLike('topic', 'assignment.%')
          .orderBy('id')
          .select('topic', 'payload'),
      ),
  };
  return plans;
}

/** Status, code and details. */
export const reported = ({ status, body }: Reply): readonly unknown[] => {
  const { code, details } = body as { code?: string; details?: { field: string; issue: string }[] };
  return [status, code, ...(details ?? []).map(({ field, issue }) => `${field} ${issue}`)];
};

export const confirmed = { confirmOffRecommendation: true, overrideCode: 'Wfl_Bundle_Substitution_03' } as const;
export const adjusted = { confirmOffRecommendation: true, overrideCode: 'Wfl_Plan_Adjustment_04' } as const;
