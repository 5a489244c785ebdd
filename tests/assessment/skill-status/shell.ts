// The skill-status capability on a test file's own database, with the items of this folder and helpers to read its
// tables.
import type { Test } from 'uvu';
import { skillStatusRoutes } from '#assessment/skill-status/reads/routes.ts';
import { recomputeStudents } from '#assessment/skill-status/recompute/recompute.ts';
import { buildRouter } from '#core/http/server/router.ts';
import type { Services } from '#core/module/services.ts';
import { connectionsOf, inContext } from '#core/platform/db.ts';
import { createLogger } from '#core/platform/process/logger.ts';
import { startWorkerPool } from '#core/platform/process/worker-pool.ts';
import { authenticate } from '#identity/people/index.ts';
import { buildClass, buildStudent, type ClassRow, type Insert, type UserRow } from '../../harness/factories.ts';
import { type HttpClient, httpClient } from '../../harness/fetch.ts';
import { type AppOptions, type TestApp, useApp } from '../../harness/http.ts';
import { installShippedRules } from '../../harness/rules.ts';
import { type ListeningServer, listen } from '../../harness/server.ts';
import { type Answer, buildDiagnostic, type DiagnosticOptions, testBanks } from './evidence.ts';

export interface Student extends UserRow {
  readonly organizationId: string;
  readonly classRow: ClassRow;
}

export interface Shell {
  readonly app: TestApp;
  /** The services of the application with the items of this folder. */
  readonly services: Services;
  /** A client of the engine's routes. */
  readonly http: HttpClient;
  /** Creates a student of a class, by default of grade 2. */
  student(classOverrides?: Insert): Promise<Student>;
  classmate(student: Student): Promise<Student>;
  diagnostic(student: Student, answers: readonly Answer[], options: DiagnosticOptions): Promise<string>;
  /** Recomputes as the job would, without the queue. */
  recompute(...students: readonly Student[]): Promise<void>;
  /** Returns rows, oldest first. */
  rows<Row = Record<string, unknown>>(table: RunTable, student: Student): Promise<Row[]>;
  request(student: Student): Promise<RequestRow | undefined>;
}

type RunTable = 'sse_run' | 'sse_skill_snapshot' | 'sse_domain_snapshot' | 'sse_macro_snapshot' | 'sse_response_code';

export interface RequestRow {
  readonly requestedSeq: number;
  readonly processedSeq: number;
  readonly lastError: string | null;
  readonly trigger: string;
  readonly triggerRef: string | null;
}

export function useShell<Context>(test: Test<Context>, options: AppOptions = {}): Shell {
  const app = useApp(test, options);
  const services: Services = { ...app.services, ...withTestItems(app) };
  test.after(() => services.chunkThreads.stop());
  const { owner } = app.database;
  test.before(() => installShippedRules(owner));
  return {
    app,
    services,
    http: useRoutes(test, services),
    async student(classOverrides = {}) {
      const classRow = await buildClass(owner, { grade: 2, ...classOverrides });
      return { ...(await buildStudent(owner, classRow)), organizationId: classRow.organizationId, classRow };
    },
    async classmate({ classRow, organizationId }) {
      return { ...(await buildStudent(owner, classRow)), organizationId, classRow };
    },
    diagnostic: (student, answers, options) => buildDiagnostic(owner, student, answers, options),
    async recompute(...students) {
      const ids = students.map(({ id }) => id);
      await recomputeStudents(services, students[0]?.organizationId ?? '', ids, 'diagnostic_finished');
    },
    rows: (table, student) => oldestFirst(app, table, student),
    request: ({ id, organizationId }) =>
      inContext(owner, 'SUPER', (trx) => trx('sse_recompute_request').where({ organizationId, studentId: id }).first()),
  };
}

/** Worker threads use the test items too. */
const withTestItems = ({ services }: TestApp): Pick<Services, 'itemBanks' | 'chunkThreads'> => ({
  itemBanks: testBanks(),
  chunkThreads: startWorkerPool({
    program: 'tests/backoffice/workbench/worker.ts',
    data: { connections: connectionsOf(services.db) },
  }),
});

/** Starts a server with these routes only. */
function useRoutes<Context>(test: Test<Context>, services: Services): HttpClient {
  let server: ListeningServer | undefined;
  test.before(async () => {
    server = await listen(
      buildRouter(skillStatusRoutes, {
        db: services.db,
        clock: services.clock,
        services,
        verifyToken: services.tokens.verify,
        authenticate,
        log: createLogger('silent'),
        trustProxy: 0,
        observe: () => {},
      }),
    );
  });
  test.after(() => server?.close());
  return httpClient(() => server?.url ?? '');
}

function oldestFirst<Row>({ database }: TestApp, table: RunTable, { id, organizationId }: Student): Promise<Row[]> {
  return inContext(database.owner, { organizationId }, async (trx) => {
    const rows = await trx(`${table} as t`)
      .join('sse_run as r', 'r.id', table === 'sse_run' ? 't.id' : 't.runId')
      .where('r.studentId', id)
      .orderBy('r.seq')
      .select('t.*');
    return rows as Row[];
  });
}
