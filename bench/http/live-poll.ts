// Fifty classes in live lessons at once: two thousand devices, each with a socket and a caller of its own, poll every two
// seconds, while students raise hands and teachers show other items.
import { randomUUID } from 'node:crypto';
import { buildClass, buildSchool, buildTeacher, type ClassRow } from '../../tests/harness/factories.ts';
import { type BuiltLive, buildLive } from '../../tests/teaching/live-lessons/rows.ts';
import { signIn } from '../harness/client.ts';
import { percentile } from '../harness/measure.ts';
import { cpuMs } from '../harness/processes.ts';
import { duration, type Section } from '../harness/report.ts';
import { insertStudents } from '../harness/school.ts';
import { type Service, withService } from '../harness/service.ts';
import { callerOf, requestText, type SocketCaller } from './sockets.ts';

const studentsOfClass = 40;
const everyMs = 2_000;
const writesPerSecond = 20;
/** Four of five writes raise a hand, one shows another item. */
const hands = 4;
const seconds = { warm: 6, measured: 20 } as const;
const apis = 2;

export const benchLivePoll = (classes: number): Promise<Section> =>
  withService((service) => measure(service, classes), { workers: 0, apis });

interface Lesson {
  readonly live: BuiltLive;
  readonly teacher: string;
  /** Access tokens. */
  readonly students: readonly string[];
}

async function measure(service: Service, classes: number): Promise<Section> {
  const lessons = await quickly(service, () => buildLessons(service, classes));
  await service.owner.raw('analyze');
  const devices = await connectDevices(service, lessons);
  try {
    const waits = { warm: [] as number[], measured: [] as number[], writes: [] as number[] };
    await Promise.all([run(devices, lessons, service, seconds.warm, waits.warm, [])]);
    const before = cpuOf(service);
    await run(devices, lessons, service, seconds.measured, waits.measured, waits.writes);
    const cpu = cpuOf(service) - before;
    await assertNotified(service, devices);
    return report(service, classes, waits, cpu);
  } finally {
    for (const { caller } of devices) caller.close();
  }
}

/** The arranged rows need no durability; the measured writes do. */
async function quickly<Result>({ owner }: Service, work: () => Promise<Result>): Promise<Result> {
  const wait = async (how: string) => {
    await owner.raw(`alter system set synchronous_commit = ${how}`);
    await owner.raw('select pg_reload_conf()');
  };
  await wait('off');
  return work().finally(() => wait('on'));
}

async function buildLessons(service: Service, classes: number): Promise<Lesson[]> {
  const { owner } = service;
  const { id: schoolId, organizationId } = await buildSchool(owner);
  const lessons: Lesson[] = [];
  for (let at = 0; at < classes; at++) {
    const classRow = await buildClass(owner, { organizationId, schoolId, name: `${at}` });
    lessons.push(await lessonIn(service, classRow));
  }
  return lessons;
}

async function lessonIn(service: Service, classRow: ClassRow): Promise<Lesson> {
  const { owner } = service;
  const { organizationId } = classRow;
  const teacher = await signIn(service, await buildTeacher(owner, classRow));
  const ids = await insertStudents(owner, classRow, studentsOfClass);
  const live = await buildLive(owner, classRow, { state: 'live', joined: ids, createdAt: new Date() });
  const students = await Promise.all(ids.map((id) => signIn(service, { id, organizationId })));
  return { live, teacher, students };
}

interface Device {
  readonly caller: SocketCaller;
  readonly path: string;
  readonly token: string;
  readonly liveSessionId: string;
  cursor: string | undefined;
}

/** Distributes callers over the processes, as a load balancer does. */
async function connectDevices({ urls }: Service, lessons: readonly Lesson[]): Promise<Device[]> {
  const wishes = lessons.flatMap(({ live, students }) =>
    students.map((token) => ({ token, liveSessionId: live.id, path: `/api/sync/sessions/${live.id}/poll` })),
  );
  // The sockets open at once, because the service closes those that are idle for some seconds.
  const devices = await Promise.all(
    wishes.map(async (wish, at): Promise<Device> => {
      const caller = await callerOf(urls[at % urls.length] ?? '');
      return { ...wish, caller, cursor: undefined };
    }),
  );
  return devices;
}

/** Polls at a fixed time within the two seconds, whether responses have come or not; durations count from that time. */
async function run(
  devices: readonly Device[],
  lessons: readonly Lesson[],
  service: Service,
  lastsSeconds: number,
  polls: number[],
  writes: number[],
): Promise<void> {
  const from = performance.now();
  const rounds = (1_000 * lastsSeconds) / everyMs;
  await Promise.all([
    ...devices.map(async (device, at) => {
      for (let round = 0; round < rounds; round++) {
        polls.push(await timed(from + everyMs * (round + at / devices.length), () => poll(device)));
      }
    }),
    write(lessons, service, from, lastsSeconds, writes),
  ]);
}

async function timed(dueAtMs: number, call: () => Promise<unknown>): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, dueAtMs - performance.now()));
  await call();
  return performance.now() - dueAtMs;
}

async function poll(device: Device): Promise<void> {
  const { caller, path, token, cursor } = device;
  const { status, body } = await caller.ask(
    requestText('GET', cursor === undefined ? path : `${path}?cursor=${cursor}`, token),
  );
  if (status !== 200) throw new Error(`a poll was answered ${status} ${body}`);
  device.cursor = (JSON.parse(body) as { cursor: string }).cursor;
}

async function write(
  lessons: readonly Lesson[],
  { urls }: Service,
  from: number,
  lastsSeconds: number,
  waits: number[],
): Promise<void> {
  const callers = await Promise.all(Array.from({ length: writesPerSecond }, () => callerOf(urls.at(-1) ?? '')));
  const calls = Array.from({ length: writesPerSecond * lastsSeconds }, async (_, at) => {
    // Every round begins one class later, so that each gets hands and items.
    const lesson = lessons[(at + Math.floor(at / lessons.length)) % lessons.length];
    const caller = callers[at % callers.length];
    if (!lesson || !caller) return;
    waits.push(await timed(from + (1_000 * at) / writesPerSecond, () => writeOne(caller, lesson, at)));
  });
  await Promise.all(calls).finally(() => {
    for (const caller of callers) caller.close();
  });
}

async function writeOne(caller: SocketCaller, { live, teacher, students }: Lesson, at: number): Promise<void> {
  const path = `/api/sync/sessions/${live.id}`;
  const isHand = at % (hands + 1) < hands;
  const request = isHand
    ? requestText('POST', `${path}/events`, students[at % students.length] ?? '', {
        events: [{ clientEventId: randomUUID(), type: 'hand_raised' }],
      })
    : requestText('POST', `${path}/control`, teacher, { action: 'goto', itemRef: `item-${1 + (at % 6)}` });
  const { status, body } = await caller.ask(request);
  if (status >= 300) throw new Error(`a write was answered ${status} ${body}`);
}

/** After the last write every device receives all events. */
async function assertNotified({ owner }: Service, devices: readonly Device[]): Promise<void> {
  await Promise.all(devices.map(poll));
  const newest: { liveSessionId: string; seq: number }[] = await owner('live_event')
    .groupBy('liveSessionId')
    .select('liveSessionId')
    .max({ seq: 'seq' });
  const seqs = new Map(newest.map(({ liveSessionId, seq }) => [liveSessionId, String(seq)]));
  const behind = devices.filter(({ liveSessionId, cursor }) => cursor !== seqs.get(liveSessionId));
  if (behind.length > 0) throw new Error(`${behind.length} devices did not receive the newest event`);
}

const cpuOf = ({ pids }: Service): number => [...pids.apis, pids.database].reduce((sum, pid) => sum + cpuMs(pid), 0);

function report(
  { urls }: Service,
  classes: number,
  { measured, writes }: { readonly measured: readonly number[]; readonly writes: readonly number[] },
  cpu: number,
): Section {
  const at = (share: number) => duration(percentile(measured, share) * 1e6);
  const perSecond = Math.round(measured.length / seconds.measured);
  return {
    title: 'Polling live sessions',
    note: `${classes} classes of ${studentsOfClass} students, each device on its own socket and every ${everyMs / 1_000} s: ${perSecond} polls a second for ${seconds.measured} s, at ${urls.length} API processes. ${writesPerSecond} writes a second beside them: hands, and other items to show. Every answer has to be a success, and after the last write every device has to know the newest event of its session. Waits count from the moment at which a poll was due; the loader and PostgreSQL share the machine.`,
    rows: [
      { contender: 'a poll, 1 of 2', result: at(0.5) },
      { contender: 'a poll, 99 of 100', result: at(0.99), aim: '≤ 150 ms' },
      { contender: 'a poll, the slowest', result: at(1) },
      { contender: 'a write, 99 of 100', result: duration(percentile(writes, 0.99) * 1e6) },
      {
        contender: 'processor time of a poll, writes and PostgreSQL included',
        result: duration((cpu / measured.length) * 1e6),
      },
    ],
  };
}
