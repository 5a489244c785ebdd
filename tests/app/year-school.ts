// A school with one class of eight children and those who teach and decide, and what they do over HTTP.
import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { itemBanks } from '#assessment/content/items/banks.ts';
import { child, rightIndex, type ServedBody, wrongIndex } from '../assessment/measurement/diagnostics/child.ts';
import {
  buildClass,
  buildOrganization,
  buildPrincipal,
  buildSchool,
  buildStudent,
  buildTeacher,
  buildUser,
  type ClassRow,
  type SchoolRow,
  signIn,
  type UserRow,
} from '../harness/factories.ts';
import type { Reply } from '../harness/fetch.ts';
import type { TestApp } from '../harness/http.ts';

export type Json = Readonly<Record<string, unknown>>;

export const childNames = [
  'steep',
  'ignored',
  'quick',
  'dismissed',
  'fine',
  'unmeasured',
  'halted',
  'untaught',
] as const;
export type ChildName = (typeof childNames)[number];

export interface School {
  readonly organizationId: string;
  readonly school: SchoolRow;
  readonly classRow: ClassRow;
  readonly otherClass: ClassRow;
  readonly teacher: UserRow;
  readonly otherTeacher: UserRow;
  readonly principal: UserRow;
  readonly admin: UserRow;
  /** Administrators; the first two are specialists. */
  readonly specialists: readonly [UserRow, UserRow];
  readonly children: Readonly<Record<ChildName, UserRow>>;
}

export async function buildYearSchool({ database: { owner } }: TestApp): Promise<School> {
  const organizationId = (await buildOrganization(owner)).id;
  const school = await buildSchool(owner, { organizationId });
  const inSchool = { organizationId, schoolId: school.id, grade: 2, academicYear: '2025-2026' };
  const classRow = await buildClass(owner, { ...inSchool, name: 'أ' });
  const otherClass = await buildClass(owner, { ...inSchool, name: 'ب' });
  const seats = ['HIGH_INTENSITY_SPECIALIST'];
  const children: Partial<Record<ChildName, UserRow>> = {};
  for (const name of childNames) children[name] = await buildStudent(owner, classRow);
  return {
    ...{ organizationId, school, classRow, otherClass },
    teacher: await buildTeacher(owner, classRow),
    otherTeacher: await buildTeacher(owner, otherClass),
    principal: await buildPrincipal(owner, school),
    admin: await buildUser(owner, 'ADMIN', { organizationId }),
    specialists: [
      await buildUser(owner, 'ADMIN', { organizationId, seats }),
      await buildUser(owner, 'ADMIN', { organizationId, seats }),
    ],
    children: children as Record<ChildName, UserRow>,
  };
}

/** By sub-skill: whether all answers are wrong, or the first three. */
export type Weak = Readonly<Record<string, 'all' | 'half'>>;

/** Ids of children. */
export interface Known {
  /** Measured in this school year. */
  readonly measured: Set<number>;
  /** Measured too little for a decision. */
  readonly halted: Set<number>;
}

export interface Hands {
  /** What the measurements of the present year have left. */
  readonly known: Known;
  /** Signs in again when the token has expired. */
  as(user: UserRow): Promise<{ readonly token: string }>;
  /** The body of an answer with this status; fails for any other. */
  get<Body = Json>(by: UserRow, path: string): Promise<Body>;
  post<Body = Json>(by: UserRow, path: string, body: object, status?: number): Promise<Body>;
  patch<Body = Json>(by: UserRow, path: string, body: object): Promise<Body>;
  remove(by: UserRow, path: string): Promise<void>;
  /** The status and the issue of a refusal. */
  refused(by: UserRow, path: string, body: object): Promise<readonly unknown[]>;
  /** Takes a part of the diagnostic, with wrong answers in these sub-skills. Default part: the next one. */
  measure(user: UserRow, weak: Weak, options?: { readonly formCode?: string; readonly most?: number }): Promise<string>;
  /** A reading on paper: words read correctly in a minute. */
  read(by: UserRow, student: UserRow, words: number): Promise<void>;
  /** Gives the lesson that the catalogue recommends for each group of these children; their answers are right. */
  teach(by: UserRow, classRow: ClassRow, students: readonly UserRow[]): Promise<number>;
}

/** Less than the lifetime of a token. */
const tokenMs = 600_000;
const passages = 6;
/** More than a part of the diagnostic has. */
const everyItem = 200;
const bank = await itemBanks().current();

export function handsOf(app: TestApp): Hands {
  const signedIn = new Map<number, { readonly token: string; readonly at: number }>();
  const readings = new Map<number, number>();
  const expect = <Body>({ status, body }: Reply, expected: number, path: string): Body => {
    assert.is(status, expected, `${path} ${JSON.stringify(body)}`);
    return body as Body;
  };
  const known: Known = { measured: new Set(), halted: new Set() };
  const hands: Hands = {
    known,
    async as(user) {
      const now = app.clock.now().getTime();
      const known = signedIn.get(user.id);
      if (known && Math.abs(now - known.at) < tokenMs) return known;
      const fresh = { token: await signIn(app, user), at: now };
      signedIn.set(user.id, fresh);
      return fresh;
    },
    get: async (by, path) => expect(await app.get(path, await hands.as(by)), 200, path),
    post: async (by, path, body, status = 200) => expect(await app.post(path, body, await hands.as(by)), status, path),
    patch: async (by, path, body) => expect(await app.patch(path, body, await hands.as(by)), 200, path),
    async remove(by, path) {
      expect(await app.delete(path, await hands.as(by)), 204, path);
    },
    async refused(by, path, body) {
      const reply = await app.post<{ code: string; details?: { issue: string }[] }>(path, body, await hands.as(by));
      return [reply.status, reply.body.details?.[0]?.issue ?? reply.body.code];
    },
    async measure(user, weak, { formCode, most = everyItem } = {}) {
      const person = { ...user, organizationId: user.organizationId, token: (await hands.as(user)).token };
      const pupil = child(app, person);
      const started = await pupil.start(formCode === undefined ? {} : { formCode });
      assert.is(started.status, 201, JSON.stringify(started.body));
      const asked = new Map<string, number>();
      const choose = (served: ServedBody) => {
        const code = bank.find(served.itemId)?.subSkillCode ?? '';
        asked.set(code, (asked.get(code) ?? 0) + 1);
        const isWrong = weak[code] === 'all' || (weak[code] === 'half' && Number(asked.get(code)) <= 3);
        return isWrong ? wrongIndex(served) : rightIndex(served);
      };
      await pupil.answerMany(started.body.sessionId, most, choose);
      assert.is((await pupil.finish(started.body.sessionId)).status, 200);
      known.measured.add(user.id);
      if (most < everyItem) known.halted.add(user.id);
      else known.halted.delete(user.id);
      return started.body.formCode;
    },
    async read(by, { id: studentId }, words) {
      const at = readings.get(studentId) ?? 0;
      readings.set(studentId, at + 1);
      const passageId = `ORF-G2-${String((at % passages) + 1).padStart(2, '0')}`;
      const reading = { measureCode: 'ORF_WCPM', studentId, passageId, wordsAttempted: words, errors: 0 };
      await hands.post(by, '/api/cbm/probes', { ...reading, administeredOn: dateOf(app), elapsedSeconds: 60 }, 201);
    },
    async teach(by, classRow, students) {
      const path = `/api/sessions/catalog/recommended?classId=${classRow.id}&limit=100`;
      const { items } = await hands.get<{ items: readonly Recommended[] }>(by, path);
      const wanted = new Set(students.map(({ id }) => id));
      let given = 0;
      for (const one of items) {
        const present = one.recipientStudentIds.filter((id) => wanted.has(id));
        if (present.length === 0) continue;
        given += 1;
        await giveLesson(hands, by, classRow, one, present, dateOf(app));
        // One lesson a day for each child.
        for (const id of present) wanted.delete(id);
      }
      return given;
    },
  };
  return hands;
}

/** The local date during a school day. */
const dateOf = ({ clock }: TestApp): string => clock.now().toISOString().slice(0, 10);

interface Recommended {
  readonly blueprintId: string;
  readonly deliveryMode: string;
  readonly recipientStudentIds: readonly number[];
}

interface Item {
  readonly itemRef: string;
  readonly correctOptionIndex: number;
}

/** Creates the lesson, has its items answered, and delivers it. */
async function giveLesson(
  hands: Hands,
  by: UserRow,
  { id: classId }: ClassRow,
  { blueprintId, deliveryMode }: Recommended,
  present: readonly number[],
  deliveredOn: string,
): Promise<void> {
  const lesson = { blueprintId, classId, recipientStudentIds: present, deliveryMode };
  const made = await hands.post<{ sessionId: string; items: readonly Item[] }>(
    by,
    '/api/sessions/from-blueprint',
    lesson,
    201,
  );
  const path = `/api/sessions/${made.sessionId}`;
  await hands.post(by, `${path}/accept`, {});
  const responses = present.flatMap((studentId) =>
    made.items.map(({ itemRef, correctOptionIndex }) => ({
      ...{ clientResponseId: randomUUID(), studentId, itemRef, selectedOptionIndex: correctOptionIndex },
    })),
  );
  // Answers come from the device of a teacher of the class; who stands in for them reports the lesson alone.
  if (responses.length > 0 && by.primaryPersona === 'TEACHER')
    await hands.post(by, `${path}/offline-responses`, { responses }, 201);
  await hands.patch(by, `${path}/edit`, { delivery: { deliveredOn, presentStudentIds: present } });
}
