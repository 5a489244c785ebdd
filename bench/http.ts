// What the service adds to a read: its answers to the six reads that screens are made of against bare Express with the
// same statements and the same JSON, both in processes of their own; and how long a read takes at a steady rate.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createApp } from '../src/app.ts';
import { runtimeRole, sessionOptions } from '../src/platform/db.ts';
import { freePort } from '../src/platform/postgres/processes.ts';
import { createLogger } from '../src/platform/process/logger.ts';
import { recomputeStudents } from '../src/skill-status/recompute/recompute.ts';
import type { BareAnswer } from './bare-express.ts';
import { type Client, clientOf, load, paced, signIn } from './client.ts';
import { assertEqual, type Contender, percentile, sideBySide } from './measure.ts';
import { duration, type Row, type Section, times } from './report.ts';
import { buildSchool } from './school.ts';
import { launch, type Service, withService } from './service.ts';

const callers = 8;
const requestsOfRound = 200;
const rounds = 7;
const studentsOfClass = 25;
const pace = { perSecond: 200, seconds: 10 } as const;

type Answers = Readonly<Record<string, BareAnswer>>;

export const benchHttp = (): Promise<Section> => withService(measure);

async function measure(service: Service): Promise<Section> {
  const school = await buildSchool(service, studentsOfClass, true);
  await recomputeStudents(service.services, school.organizationId, school.studentIds);
  await service.owner.raw('analyze');
  const token = await signIn(service, school.teacher);
  const paths = pathsOf(school.studentIds[0] ?? 0, school.classRow.id);
  const closing: (() => unknown)[] = [];
  try {
    const answers = await recorded(service, Object.values(paths), token, closing);
    const bare = await startBare(service, answers, closing);
    const own = clientOf(service.url, callers);
    closing.push(() => own.close());
    const askOwn = (at: string) => own.ask('GET', at, token);
    for (const [at, { body }] of Object.entries(answers)) {
      assertEqual(`service ${at}`, JSON.parse(await askOwn(at)), body);
      assertEqual(`bare ${at}`, JSON.parse(await bare.ask('GET', at)), body);
    }
    const timings = await sideBySide(
      Object.entries(paths).flatMap(([name, at]) => [
        contender(`bare ${name}`, () => bare.ask('GET', at)),
        contender(`service ${name}`, () => askOwn(at)),
      ]),
      rounds,
    );
    const waits = await paced(
      pace.perSecond,
      pace.seconds,
      Object.values(paths).map((at) => () => askOwn(at)),
    );
    return report(Object.keys(paths), (name) => timings.get(name) ?? Number.NaN, percentile(waits, 0.99));
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

const pathsOf = (studentId: number, classId: number): Readonly<Record<string, string>> => ({
  me: '/api/auth/me',
  roster: `/api/classes/${classId}/students`,
  'skill status': `/api/sse/students/${studentId}/skill-status`,
  'domain status': `/api/sse/students/${studentId}/domain-status`,
  'rule layers': '/api/sse/rule-layers',
  'class plan': `/api/sse/classes/${classId}/next-data-plan`,
});

/** What the service sends and answers, taken from a copy of it in this process, once it has loaded everything. */
async function recorded(
  { services }: Service,
  paths: readonly string[],
  token: string,
  closing: (() => unknown)[],
): Promise<Answers> {
  const server = createApp(services, createLogger('silent')).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const client = clientOf(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, 1);
  closing.push(
    () => client.close(),
    () => server.close(),
  );
  let statements: { sql: string; bindings: unknown[] }[] = [];
  services.db.on('query', ({ sql, bindings = [], __knexTxId }: Sent) => {
    if (__knexTxId !== undefined) statements.push({ sql, bindings });
  });
  const answers: Record<string, BareAnswer> = {};
  for (const at of paths) {
    await client.ask('GET', at, token);
    statements = [];
    const body: unknown = JSON.parse(await client.ask('GET', at, token));
    answers[at] = { statements, body };
  }
  return answers;
}

interface Sent {
  readonly sql: string;
  readonly bindings?: unknown[];
  /** Absent for statements outside a request's transaction: limits that are settled now and then. */
  readonly __knexTxId?: string;
}

async function startBare({ services }: Service, answers: Answers, closing: (() => unknown)[]): Promise<Client> {
  const port = await freePort();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'literacy-bare-'));
  closing.push(() => fs.rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'answers.json');
  fs.writeFileSync(file, JSON.stringify(answers));
  const environment = {
    ...{ PATH: process.env.PATH ?? '', PORT: String(port), ANSWERS: file },
    ...{ DATABASE_URL: services.config.databaseUrl ?? '', DATABASE_OPTIONS: sessionOptions(runtimeRole) },
  };
  await launch('bench/bare-express.ts', environment, closing);
  const client = clientOf(`http://127.0.0.1:${port}`, callers);
  closing.push(() => client.close());
  return client;
}

const contender = (name: string, ask: () => Promise<string>): Contender => ({
  name,
  operations: requestsOfRound,
  run: () => load(requestsOfRound, callers, ask),
});

function report(names: readonly string[], of: (name: string) => number, p99Ms: number): Section {
  const perSecond = (name: string) =>
    `${duration(of(name))}, ${Math.round(1e9 / of(name)).toLocaleString('en')} a second`;
  const rows = names.flatMap((name): Row[] => [
    { contender: `service, ${name}`, result: perSecond(`service ${name}`) },
    {
      contender: `bare Express, ${name}`,
      result: perSecond(`bare ${name}`),
      ratio: times(of(`bare ${name}`), of(`service ${name}`)),
      aim: '≥ 0.6 ×',
    },
  ]);
  const steady = `99 of 100 at ${pace.perSecond} requests/s`;
  return {
    title: 'HTTP',
    note: `The six reads of a teacher's screens, a class of ${studentsOfClass} with 100 responses each. ${callers} callers on open connections, ${requestsOfRound} requests a round; the loader and PostgreSQL share the machine. Bare Express sends the statements that the service sends, one after the other, with no check of anything, and writes the same JSON (asserted). The last line sends the six in turn at a steady rate for ${pace.seconds} s, whether answers have come or not.`,
    rows: [...rows, { contender: steady, result: duration(p99Ms * 1e6), aim: '≤ 25 ms' }],
  };
}
