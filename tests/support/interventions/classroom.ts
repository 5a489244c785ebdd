// Classes of measured students on a test file's own database: diagnostics in the notation of the engine's golden cases,
// statuses and profiles by the service, and every route over HTTP.
import type { Test } from 'uvu';
import { allRoutes, routerDeps } from '#app/app.ts';
import { recomputeStudents } from '#assessment/skill-status/index.ts';
import { buildRouter } from '#core/http/server/router.ts';
import type { Services } from '#core/module/services.ts';
import { createLogger } from '#core/platform/process/logger.ts';
import { answersOf, buildDiagnostic, testBanks } from '../../assessment/skill-status/evidence.ts';
import {
  buildClass,
  buildStudent,
  buildTeacher,
  type ClassRow,
  type Insert,
  signIn,
  type UserRow,
} from '../../harness/factories.ts';
import { type HttpClient, httpClient } from '../../harness/fetch.ts';
import { type TestApp, useApp } from '../../harness/http.ts';
import { type ListeningServer, listen } from '../../harness/server.ts';

/** A class, by default of grade 2, with its teacher signed in. */
export interface Room {
  readonly classRow: ClassRow;
  readonly organizationId: string;
  readonly teacher: UserRow;
  /** The teacher's. */
  readonly token: string;
}

/** `{DEC_WORD: 'UUUU'}`: a letter for each item, as in the golden cases. */
export type Letters = Readonly<Record<string, string>>;

export interface Classroom {
  readonly app: TestApp;
  /** The application's services, with the items of the engine's tests. */
  readonly services: Services;
  readonly http: HttpClient;
  room(classOverrides?: Insert): Promise<Room>;
  student(room: Room): Promise<UserRow>;
  /** One finished diagnostic for each student, evaluated at once. Default time: the clock's. */
  measure(students: readonly UserRow[], letters: Letters, finishedAt?: string): Promise<void>;
}

/** The first part of grade 2 with all answers correct except the given ones. */
export const firstPart = (but: Letters = {}): Letters => ({
  LK_SOUND: 'CCCC',
  DEC_SYLLABLE: 'CCCC',
  DEC_WORD: 'CCCC',
  LIS_LITERAL: 'CCCC',
  VOC_MEANING: 'CCCC',
  RC_LITERAL: 'CCCC',
  ...but,
});

export const decodingNeed = firstPart({ DEC_WORD: 'UUUU' });
export const languageNeed = firstPart({ LIS_LITERAL: 'UUUU' });
/** A need with precedence over those measured before. */
export const soundsNeed: Letters = { PA_BLEND: 'UUUU' };
/** Fewer items of a sub-skill than a decision requires. */
export const halting: Letters = { LK_FORM: 'CCC' };

export function useClassroom<Context>(test: Test<Context>): Classroom {
  const app = useApp(test, {
    rules: true,
    settings: { RATE_LIMIT_USER_PER_MINUTE: '1000000', RATE_LIMIT_IP_PER_MINUTE: '1000000' },
  });
  const { owner } = app.database;
  const services: Services = { ...app.services, itemBanks: testBanks() };
  let server: ListeningServer | undefined;
  test.before(async () => {
    server = await listen(buildRouter(allRoutes(), routerDeps(services, createLogger('silent'))));
  });
  test.after(() => server?.close());
  let sessions = 0;
  return {
    app,
    services,
    http: httpClient(() => server?.url ?? ''),
    async room(classOverrides = {}) {
      const classRow = await buildClass(owner, { grade: 2, ...classOverrides });
      const teacher = await buildTeacher(owner, classRow);
      return { classRow, organizationId: classRow.organizationId, teacher, token: await signIn(app, teacher) };
    },
    student: ({ classRow }) => buildStudent(owner, classRow),
    async measure(students, letters, finishedAt = app.clock.now().toISOString()) {
      const from = (sessions++ % 12) * 4 + 1;
      for (const student of students) {
        await buildDiagnostic(owner, student, answersOf(letters, from), { finishedAt, announced: false });
      }
      const ids = students.map(({ id }) => id);
      await recomputeStudents(services, students[0]?.organizationId ?? '', ids, 'diagnostic_finished');
    },
  };
}
