// Live lessons over HTTP on a test file's own database: a class with its teacher and students, a blueprint with six items, and
// a live lesson of it that all students have joined.
import { randomUUID } from 'node:crypto';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { insertRows } from '#core/platform/sql.ts';
import type { Blueprint } from '#teaching/lesson-blueprints/index.ts';
import {
  buildClass,
  buildStudent,
  buildTeacher,
  type ClassRow,
  signIn,
  type UserRow,
} from '../../harness/factories.ts';
import type { Reply } from '../../harness/fetch.ts';
import { type TestApp, useApp } from '../../harness/http.ts';
import { buildBlueprint } from '../lesson-blueprints/rows.ts';

export type Json = Readonly<Record<string, unknown>>;

export interface Person extends UserRow {
  readonly token: string;
}

export interface Lesson {
  readonly classRow: ClassRow;
  readonly organizationId: string;
  readonly teacher: Person;
  readonly students: readonly Person[];
  readonly liveId: string;
  /** The taught lesson; null without one. */
  readonly sessionId: string | null;
  readonly joinCode: string;
  /** Requests as the teacher. */
  get<Body = Json>(path: string): Promise<Reply<Body>>;
  /** Requests as the teacher, with `/api/sync/sessions/{id}` before the path. */
  teach(path: string, body: unknown): Promise<Reply<Json>>;
  look(path?: string, by?: Person): Promise<Reply<Json>>;
  control(action: string, more?: Json): Promise<Reply<Json>>;
  answer(student: Person, ...answers: readonly Json[]): Promise<Reply<Json>>;
  /** Returns rows of the lesson, read as the owner of the tables. */
  rows<Row = Json>(table: string, orderBy: string): Promise<Row[]>;
}

export interface LessonOptions {
  readonly students?: number;
  /** True when it teaches an accepted lesson for all students. */
  readonly prepared?: boolean;
  /** Default: started, and all students have joined. */
  readonly begun?: boolean;
  readonly joined?: number;
  readonly blueprint?: Partial<Blueprint>;
  /** Existing students instead of new ones. */
  readonly school?: { readonly classRow: ClassRow; readonly teacher: UserRow; readonly students: readonly UserRow[] };
}

export const itemRefs = [1, 2, 3, 4, 5, 6].map((no) => `item-${no}`);

/** Returns an answer; the first option is right. */
export const answerTo = (itemRef: string, right = true, more: Json = {}): Json => ({
  ...{ clientResponseId: randomUUID(), itemRef, selectedOptionIndex: right ? 0 : 1 },
  ...more,
});

export const noLimits = { RATE_LIMIT_USER_PER_MINUTE: '1000000', RATE_LIMIT_IP_PER_MINUTE: '1000000' };
/** A Monday in the middle of a school year, 11:00 in Riyadh. */
export const monday = '2026-01-12T08:00:00.000Z';

/** Shorter than the lifetime of a token. */
const tokenMs = 600_000;

/** Returns the status and the fields on which clients branch. */
export const outcomeOf = ({ status, body }: Reply): readonly unknown[] => {
  const { code, details } = body as { code?: string; details?: { field: string; issue: string }[] };
  return [status, code, ...(details ?? []).map(({ field, issue }) => `${field} ${issue}`)];
};

export interface Lessons {
  readonly app: TestApp;
  lesson(options?: LessonOptions): Promise<Lesson>;
  person(user: UserRow): Promise<Person>;
}

export function useLessons<Context>(test: Test<Context>): Lessons {
  const app = useApp(test, { rules: true, settings: noLimits });
  test.before.each(() => app.clock.set(monday));
  return { app, ...lessonsOf(app) };
}

export function lessonsOf(app: TestApp): Omit<Lessons, 'app'> {
  const { owner } = app.database;
  const person = async (user: UserRow): Promise<Person> => ({ ...user, token: await signIn(app, user) });
  const signedIn = new Map<number, { readonly token: string; readonly until: number }>();

  /** Signs in again when the token has expired. */
  async function as(user: UserRow): Promise<{ readonly token: string }> {
    const now = app.clock.now().getTime();
    const known = signedIn.get(user.id);
    if (known && now < known.until) return known;
    const fresh = { token: await signIn(app, user), until: now + tokenMs };
    signedIn.set(user.id, fresh);
    return fresh;
  }

  async function schoolOf(count: number) {
    const classRow = await buildClass(owner, { grade: 2 });
    const students: UserRow[] = [];
    for (let at = 0; at < count; at += 1) students.push(await buildStudent(owner, classRow));
    return { classRow, teacher: await buildTeacher(owner, classRow), students };
  }

  async function lesson(options: LessonOptions = {}): Promise<Lesson> {
    const { prepared = false, begun = true } = options;
    const { classRow, ...people } = options.school ?? (await schoolOf(options.students ?? 2));
    const teacher = await person(people.teacher);
    const students = await Promise.all(people.students.map(person));
    const blueprintId = await buildBlueprint(owner, options.blueprint);
    const sessionId = prepared ? await prepare(app, { classRow, teacher, students }, blueprintId) : null;
    const made = await app.post<Json>(
      '/api/sync/sessions',
      { classId: classRow.id, ...(sessionId !== null && { sessionId }) },
      teacher,
    );
    assert.is(made.status, 201, JSON.stringify(made.body));
    const { liveSessionId: liveId, joinCode } = made.body as { liveSessionId: string; joinCode: string };
    const path = (rest: string) => `/api/sync/sessions/${liveId}${rest}`;
    if (!prepared) await app.put(path('/playlist'), { blueprintId, itemRefs }, teacher);
    for (const student of students.slice(0, options.joined)) {
      const reply = await app.post('/api/sync/sessions/join', { joinCode }, student);
      assert.is(reply.status, 200, JSON.stringify(reply.body));
    }
    const teach: Lesson['teach'] = async (rest, body) => app.post(path(rest), body, await as(teacher));
    if (begun) {
      const reply = await teach('/start', {});
      assert.is(reply.status, 200, JSON.stringify(reply.body));
    }
    return {
      ...{ classRow, organizationId: classRow.organizationId, teacher, students, liveId, sessionId, joinCode, teach },
      get: async (url) => app.get(url, await as(teacher)),
      look: async (rest = '', by = teacher) => app.get(path(rest), await as(by)),
      control: (action, more = {}) => teach('/control', { action, ...more }),
      answer: async (student, ...answers) => app.post(path('/responses'), { responses: answers }, await as(student)),
      rows: (table, orderBy) =>
        inContext(owner, classRow, (trx) =>
          trx(table)
            .where(table === 'live_session' ? { id: liveId } : { liveSessionId: liveId })
            .orderBy(orderBy),
        ),
    };
  }
  return { lesson, person };
}

interface Prepared {
  readonly classRow: ClassRow;
  readonly teacher: UserRow;
  readonly students: readonly UserRow[];
}

/** Writes an accepted lesson for all students directly into the tables and returns its id. */
async function prepare(
  { database: { owner } }: TestApp,
  { classRow: { id: classId, organizationId }, teacher, students }: Prepared,
  blueprintId: string,
): Promise<string> {
  const id = newId();
  const blueprint = await owner('session_blueprint').where({ id: blueprintId }).first();
  await inContext(owner, { organizationId }, async (trx) => {
    await trx('teaching_session').insert({
      ...{ id, organizationId, classId, schoolYear: '2025-2026', blueprintId, blueprintVersion: 1 },
      ...{ bundleId: blueprint.bundleId, stepNo: blueprint.stepNo, sessionRole: blueprint.sessionRole },
      ...{ plannedMinutes: blueprint.durationMinutes, deliveryMode: 'teacher_led_small_group', state: 'accepted' },
      ...{ segmentOrder: [1, 2], createdBy: teacher.id, createdAt: monday },
    });
    const rows = students.map(({ id: studentId }) => ({
      ...{ organizationId, sessionId: id, studentId, state: 'included', decidedAt: monday },
    }));
    await insertRows(trx, 'session_recipient', rows);
  });
  return id;
}
