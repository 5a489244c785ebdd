// Ordinary people at a steady rate beside one hostile client of each kind, for a given time: whether the service stays stable,
// and whether people are affected (contract 23 §10).
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodeArguments } from '../../scripts/launch/programs.mjs';
import { freePort, stopChild } from '../../src/core/platform/postgres/processes.ts';
import { percentile } from '../harness/measure.ts';
import type { Section } from '../harness/report.ts';
import { type Service, withService } from '../harness/service.ts';
import { type Answered, askerOf } from './ask.ts';
import { type Counts, count, countsText } from './counts.ts';
import type { HostileOrders } from './hostile.ts';
import { type Call, ordinaryCalls } from './ordinary.ts';
import { buildHostile, buildSoakSchool, type SoakSchool, sessionOf } from './school.ts';
import { statusRows, verdictsOf } from './verdicts.ts';
import { type Sample, sampleOf } from './watch.ts';

const schoolsOfSoak = 3;
const sampleEveryMs = 10_000;
/** Access tokens are valid for fifteen minutes. */
const renewEveryMs = 600_000;
const minuteMs = 60_000;
/** The number of unexpected refusals that are printed. */
const mostShown = 20;

interface Options {
  readonly minutes: number;
  readonly ratePerSecond: number;
}

/** The settings that docs/operations recommends for processes that run for weeks. */
const memorySettings = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

/** Runs with the request limits of a deployment. Sets the exit code to 1 if a verdict fails. */
export async function benchSoak(options: Options): Promise<Section> {
  const platformPort = await freePort();
  const settings = {
    RATE_LIMIT_USER_PER_MINUTE: '600',
    RATE_LIMIT_IP_PER_MINUTE: '120',
    LMS_TRUSTED_HOSTS: `127.0.0.1:${platformPort}`,
    ...memorySettings,
  };
  return withService((service) => soak(service, options, platformPort), { settings });
}

/** The observations so far. */
class Seen {
  readonly samples: Sample[] = [];
  readonly waits: number[] = [];
  readonly others: Counts = {};
  hostile: Counts = {};
  waitsOfMinute: number[] = [];
  shown = 0;

  add({ name }: Call, { status, text }: Answered, waitedMs: number): void {
    count(this.others, name, status);
    this.waits.push(waitedMs);
    this.waitsOfMinute.push(waitedMs);
    const isExpected = (status >= 200 && status < 300) || status === 304;
    if (!isExpected && this.shown++ < mostShown) console.error(`${name}: ${status} ${text.slice(0, 300)}`);
  }
}

async function soak(service: Service, options: Options, platformPort: number): Promise<Section> {
  const schools: SoakSchool[] = [];
  for (let at = 0; at < schoolsOfSoak; at++) schools.push(await buildSoakSchool(service));
  await service.owner.raw('analyze');
  const seen = new Seen();
  const asker = askerOf(service.url, 256);
  const endsAtMs = performance.now() + options.minutes * minuteMs;
  const hostile = await startHostile(service, schools, platformPort, seen);
  try {
    await Promise.all([
      sendOrdinary(ordinaryCalls(asker.ask, schools), options, seen),
      watch(service, asker.ask, endsAtMs, seen),
    ]);
  } finally {
    await hostile.stop();
    asker.close();
  }
  return report(options, seen);
}

/** Sends every request at its time by the rate, whether responses have come or not; durations count from that time. */
async function sendOrdinary(next: () => Call, { minutes, ratePerSecond }: Options, seen: Seen): Promise<void> {
  const from = performance.now();
  const under = new Set<Promise<void>>();
  for (let at = 0; at < minutes * 60 * ratePerSecond; at++) {
    const dueAtMs = from + (1_000 * at) / ratePerSecond;
    if (dueAtMs > performance.now()) await sleep(dueAtMs - performance.now());
    const call = next();
    const asked = call.send().then((answer) => seen.add(call, answer, performance.now() - dueAtMs));
    under.add(asked);
    void asked.finally(() => under.delete(asked));
  }
  await Promise.all(under);
}

async function watch(service: Service, ask: Parameters<typeof sampleOf>[1], endsAtMs: number, seen: Seen) {
  const from = performance.now();
  let printed = 0;
  while (performance.now() < endsAtMs) {
    await sleep(Math.min(sampleEveryMs, Math.max(0, endsAtMs - performance.now())));
    const minute = (performance.now() - from) / minuteMs;
    seen.samples.push(await sampleOf(service, ask, minute));
    if (Math.floor(minute + 0.01) > printed) console.error(lineOf(++printed, seen));
  }
}

function lineOf(minute: number, seen: Seen): string {
  const last = seen.samples.at(-1);
  const waits = seen.waitsOfMinute;
  seen.waitsOfMinute = [];
  const ms = (share: number) => percentile(waits, share).toFixed(0);
  const memory = `API ${last?.apiMiB} MiB (heap ${last?.heapMiB.toFixed(0)}), worker ${last?.workerMiB} MiB`;
  const state = `event loop p99 ${last?.eventLoopP99Ms.toFixed(0)} ms, ${last?.handles} handles, ${last?.connections} connections, outbox ${last?.outboxSeconds.toFixed(1)} s`;
  const all: Record<string, number> = {};
  for (const own of Object.values(seen.others))
    for (const [status, times] of Object.entries(own)) all[status] = (all[status] ?? 0) + times;
  const hostile = Object.entries(seen.hostile).map(([name, own]) => `${name} ${countsText(own)}`);
  return `minute ${minute}: ${memory}; ${state}; others p50 ${ms(0.5)} p95 ${ms(0.95)} p99 ${ms(0.99)} max ${ms(1)} ms, ${countsText(all)}; ${hostile.join(', ')}`;
}

async function startHostile(service: Service, schools: readonly SoakSchool[], platformPort: number, seen: Seen) {
  const [school] = schools;
  if (!school) throw new RangeError('there is no school');
  const people = await buildHostile(service, school);
  const tokenOf = async (person: Parameters<typeof sessionOf>[1]) => (await sessionOf(service, person)).accessToken;
  const { classId, studentIds, liveSessionId } = school;
  const ordersNow = async (): Promise<HostileOrders> => ({
    url: service.url,
    classId,
    studentIds,
    liveSessionId,
    platformPort,
    tokens: {
      reader: await tokenOf(people.reader),
      uploader: await tokenOf(people.uploader),
      teacher: await tokenOf(people.teacher),
      student: await tokenOf(school.hostileStudent),
    },
  });
  const child: ChildProcess = spawn(
    process.execPath,
    nodeArguments(process.env.PROGRAMS_FOLDER ?? '', 'bench/soak/hostile.ts'),
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );
  let isStopping = false;
  child.on('message', (counts: Counts) => {
    seen.hostile = counts;
  });
  child.once('exit', (code) => {
    if (!isStopping) throw new Error(`the hostile clients ended with ${code}`);
  });
  child.send(await ordersNow());
  const renewing = setInterval(() => void ordersNow().then((orders) => child.send(orders)), renewEveryMs);
  return {
    async stop() {
      isStopping = true;
      clearInterval(renewing);
      await stopChild(child);
    },
  };
}

function report({ minutes, ratePerSecond }: Options, { samples, waits, others, hostile }: Seen): Section {
  const verdicts = verdictsOf(samples, waits, others);
  if (verdicts.some(({ holds }) => !holds)) process.exitCode = 1;
  const ms = (share: number) => `${percentile(waits, share).toFixed(0)} ms`;
  const waitsText = `${ms(0.5)}, ${ms(0.95)}, ${ms(1)}`;
  return {
    title: 'Soak',
    note: `${minutes} minutes at ${ratePerSecond} requests/s of ordinary people in ${schoolsOfSoak} organizations, each due at its moment whether answers have come or not; waits count from that moment. Beside them one hostile client of each kind, from a process of its own and most of them in the first school, with the limits of a deployment. One API and one worker process; the loaders and PostgreSQL share the machine. Memory and handles count from minute 8 on, every 10 s. Status 0: no answer, or a connection that the service closed.`,
    rows: [
      ...verdicts.map(({ holds: _, ...row }) => row),
      { contender: 'a request of the others: 1 of 2, 95 of 100, the slowest', result: waitsText },
      ...statusRows('others', others),
      ...statusRows('hostile', hostile),
    ],
  };
}
