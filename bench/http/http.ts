// The overhead of the service on a read: its responses to the six reads of which screens consist against bare Express with the
// same statements and the same JSON, both in processes of their own; and the duration of a read at a steady rate.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createApp } from '../../src/app/app.ts';
import { recomputeStudents } from '../../src/assessment/skill-status/recompute/recompute.ts';
import { sessionOptions } from '../../src/core/platform/connections/session.ts';
import { runtimeRole } from '../../src/core/platform/db.ts';
import { freePort } from '../../src/core/platform/postgres/processes.ts';
import { createLogger } from '../../src/core/platform/process/logger.ts';
import { type Client, clientOf, load, paced, signIn } from '../harness/client.ts';
import { assertEqual, type Contender, percentile, sideBySide, type Timings } from '../harness/measure.ts';
import { cpuMs } from '../harness/processes.ts';
import { duration, type Row, type Section, times } from '../harness/report.ts';
import { buildSchool } from '../harness/school.ts';
import { launch, type Service, withService } from '../harness/service.ts';
import type { BareAnswer, BareStatement } from './bare-express.ts';

const callers = 8;
const requestsOfRound = 200;
const rounds = 7;
/** Linux counts processor time in hundredths of a second. */
const requestsOfCost = 600;
const studentsOfClass = 25;
const rates = [100, 150, 200] as const;
const secondsOfRate = 10;

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
    const reads = Object.entries(paths).map(([name, at]) => ({
      name,
      own: () => askOwn(at),
      bare: () => bare.ask('GET', at),
    }));
    return report(await compared(service.pids, bare.pid, reads));
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

interface Read {
  readonly name: string;
  readonly own: () => Promise<string>;
  readonly bare: () => Promise<string>;
}

async function compared({ api, database }: Service['pids'], bare: number, reads: readonly Read[]): Promise<Measured> {
  const timings = await sideBySide(
    reads.flatMap((read) => [contender(`bare ${read.name}`, read.bare), contender(`service ${read.name}`, read.own)]),
    rounds,
  );
  const costs = new Map<string, Cost>();
  for (const read of reads) {
    costs.set(`service ${read.name}`, await costOf(api, database, read.own));
    costs.set(`bare ${read.name}`, await costOf(bare, database, read.bare));
  }
  const calls = reads.map(({ own }) => own);
  const waits = new Map<number, number>();
  for (const rate of rates) waits.set(rate, percentile(await paced(rate, secondsOfRate, calls), 0.99));
  return { names: reads.map(({ name }) => name), timings, costs, waits };
}

const pathsOf = (studentId: number, classId: number): Readonly<Record<string, string>> => ({
  me: '/api/auth/me',
  roster: `/api/classes/${classId}/students`,
  'skill status': `/api/sse/students/${studentId}/skill-status`,
  'domain status': `/api/sse/students/${studentId}/domain-status`,
  'rule layers': '/api/sse/rule-layers',
  'class plan': `/api/sse/classes/${classId}/next-data-plan`,
});

/** Records the statements and responses of a warm instance of the service in this process. */
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
  let statements: BareStatement[] = [];
  services.db.on('query', ({ sql, bindings = [], options, __knexTxId }: Sent) => {
    if (__knexTxId !== undefined) statements.push({ sql, bindings, isKept: options?.keepsPlan === true });
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
  readonly options?: { readonly keepsPlan?: boolean };
  /** Absent for statements outside of a request's transaction: limits that are settled in batches. */
  readonly __knexTxId?: string;
}

type Bare = Client & { readonly pid: number };

async function startBare({ services }: Service, answers: Answers, closing: (() => unknown)[]): Promise<Bare> {
  const port = await freePort();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'literacy-bare-'));
  closing.push(() => fs.rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'answers.json');
  fs.writeFileSync(file, JSON.stringify(answers));
  const environment = {
    PATH: process.env.PATH ?? '',
    PORT: String(port),
    ANSWERS: file,
    DATABASE_URL: services.config.databaseUrl ?? '',
    DATABASE_OPTIONS: sessionOptions(runtimeRole),
  };
  const pid = await launch('bench/http/bare-express.ts', environment, closing);
  const client = clientOf(`http://127.0.0.1:${port}`, callers);
  closing.push(() => client.close());
  return { ...client, pid };
}

/** Processor time per request in milliseconds. */
interface Cost {
  readonly ofProcess: number;
  readonly ofDatabase: number;
}

async function costOf(pid: number, database: number, ask: () => Promise<string>): Promise<Cost> {
  const [processBefore, databaseBefore] = [cpuMs(pid), cpuMs(database)];
  await load(requestsOfCost, callers, ask);
  return {
    ofProcess: (cpuMs(pid) - processBefore) / requestsOfCost,
    ofDatabase: (cpuMs(database) - databaseBefore) / requestsOfCost,
  };
}

const contender = (name: string, ask: () => Promise<string>): Contender => ({
  name,
  operations: requestsOfRound,
  run: () => load(requestsOfRound, callers, ask),
});

interface Measured {
  readonly names: readonly string[];
  readonly timings: Timings;
  readonly costs: ReadonlyMap<string, Cost>;
  /** The 99th percentile in milliseconds, by requests a second. */
  readonly waits: ReadonlyMap<number, number>;
}

function report({ names, timings, costs, waits }: Measured): Section {
  const of = (name: string) => timings.get(name) ?? Number.NaN;
  const perSecond = (name: string) =>
    `${duration(of(name))}, ${Math.round(1e9 / of(name)).toLocaleString('en')} a second`;
  const cost = (name: string, process: string) => {
    const { ofProcess = Number.NaN, ofDatabase = Number.NaN } = costs.get(name) ?? {};
    return `${process} ${ofProcess.toFixed(2)} ms, PostgreSQL ${ofDatabase.toFixed(2)} ms`;
  };
  const rows = names.flatMap((name): Row[] => [
    { contender: `service, ${name}`, result: perSecond(`service ${name}`) },
    { contender: '· processor time of one', result: cost(`service ${name}`, 'API') },
    {
      contender: `bare Express, ${name}`,
      result: perSecond(`bare ${name}`),
      ratio: times(of(`bare ${name}`), of(`service ${name}`)),
      aim: '≥ 0.6 ×',
    },
    { contender: '· processor time of one', result: cost(`bare ${name}`, 'Express') },
  ]);
  const steady = [...waits].map(([rate, p99Ms]): Row => {
    const aim = rate === Math.max(...rates) ? { aim: '≤ 25 ms' } : {};
    return { contender: `99 of 100 at ${rate} requests/s`, result: duration(p99Ms * 1e6), ...aim };
  });
  return {
    title: 'HTTP',
    note: `The six reads of a teacher's screens, a class of ${studentsOfClass} with 100 responses each. ${callers} callers on open connections, ${requestsOfRound} requests a round; the loader and PostgreSQL share the machine. Bare Express sends the statements that the service sends, one after the other, with no check of anything, and writes the same JSON (asserted). The last lines send the six in turn at a steady rate for ${secondsOfRate} s, whether answers have come or not.`,
    rows: [...rows, ...steady],
  };
}
