// Two thousand people with streams on one process: their cost, and the time until they receive what another process has stored.
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { inContext } from '../../src/core/platform/db.ts';
import { newId } from '../../src/core/platform/ids.ts';
import { clientOf, load, signIn } from '../harness/client.ts';
import { percentile } from '../harness/measure.ts';
import { cpuMs, residentMiB } from '../harness/processes.ts';
import { duration, type Section, times } from '../harness/report.ts';
import { type Service, withService } from '../harness/service.ts';
import { insertPeople, type People } from './people.ts';

const listeners = 2_000;
const signInsAtOnce = 20;
const rounds = { warm: 2, measured: 10 } as const;
const silentMs = 10_000;
const timeoutMs = 30_000;

export const benchStreams = (): Promise<Section> => withService(measure, { workers: 0 });

interface Listener {
  readonly token: string;
  /** The last unread count; undefined before the first event. */
  count(): number | undefined;
  /** The time of that event. */
  heardAtMs(): number;
  close(): void;
}

async function measure(service: Service): Promise<Section> {
  const people = await insertPeople(service, { parents: listeners, students: 1 });
  const tokens = await signedIn(service, people);
  const memory = { none: residentMiB(service.pids.api), open: 0, after: 0 };
  const open = await Promise.all(tokens.map((token) => listen(service.url, token)));
  try {
    await until(() => open.every((one) => one.count() === 0));
    for (let round = 0; round < rounds.warm; round++) await tellAll(service, people, open, round + 1);
    memory.open = residentMiB(service.pids.api);
    const silent = await cpuOf(service, () => sleep(silentMs));
    const waits: number[] = [];
    for (let round = 0; round < rounds.measured; round++)
      waits.push(...(await tellAll(service, people, open, rounds.warm + round + 1)));
    memory.after = residentMiB(service.pids.api);
    const client = clientOf(service.url, signInsAtOnce);
    let at = 0;
    const polled = await cpuOf(service, () =>
      load(listeners, signInsAtOnce, () => client.ask('GET', '/api/notifications/unread-count', tokens[at++] ?? '')),
    );
    client.close();
    return report(waits, memory, { silent: (silent * 1_000) / silentMs, polled });
  } finally {
    for (const one of open) one.close();
  }
}

async function signedIn(service: Service, { organizationId, parents }: People): Promise<string[]> {
  const tokens: string[] = [];
  let at = 0;
  await load(parents.length, signInsAtOnce, async () => {
    const own = at++;
    tokens[own] = await signIn(service, { id: parents[own] ?? 0, organizationId });
  });
  return tokens;
}

/** Opens a stream on a socket of its own, as a device does. */
async function listen(url: string, token: string): Promise<Listener> {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  let text = '';
  let count: number | undefined;
  let heardAtMs = 0;
  socket
    .on('error', () => {})
    .on('data', (part) => {
      text += part.toString('latin1');
      const found = [...text.matchAll(/"count":(\d+)/g)].at(-1);
      if (!found) return;
      count = Number(found[1]);
      heardAtMs = performance.now();
      text = '';
    });
  socket.write(
    `GET /api/notifications/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    'latin1',
  );
  return { token, count: () => count, heardAtMs: () => heardAtMs, close: () => socket.destroy() };
}

/**
 * Stores one notification for all people in a transaction of this process. Returns how long after the commit each has received
 * it.
 */
async function tellAll(
  { services }: Service,
  { organizationId, parents }: People,
  open: readonly Listener[],
  wanted: number,
): Promise<number[]> {
  await inContext(services.db, { organizationId }, async (trx) => {
    await trx.raw(
      `insert into notification (organization_id, id, recipient_user_id, kind, severity, payload, source_type, source_id,
         rendered_title_ar, rendered_body_ar, tier, rule_versions, created_at)
       select :organizationId, :prefix || u, u, 'parent_tsp_activation', 'info', '{}', 'bench', :prefix, 'عنوان', 'نص',
         'parent_stricter', '{}', :now
       from unnest(:parents::bigint[]) u`,
      { organizationId, prefix: newId().slice(0, 12), now: new Date(), parents: [...parents] },
    );
    services.notificationStreams.tell(trx, parents);
  });
  const committedMs = performance.now();
  await until(() => open.every((one) => one.count() === wanted));
  return open.map((one) => Math.max(0, one.heardAtMs() - committedMs));
}

async function until(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error('not all streams have received it');
    await sleep(10);
  }
}

async function cpuOf({ pids }: Service, work: () => Promise<unknown>): Promise<number> {
  const spent = () => cpuMs(pids.api) + cpuMs(pids.database);
  const before = spent();
  await work();
  return spent() - before;
}

function report(
  waits: readonly number[],
  memory: { readonly none: number; readonly open: number; readonly after: number },
  cpu: { readonly silent: number; readonly polled: number },
): Section {
  const at = (share: number) => duration(percentile(waits, share) * 1e6);
  return {
    title: 'Streams of notifications',
    note: `${listeners} people, each on its own socket, at one API process. ${rounds.measured} times another process stores one notification for each in one transaction. Asserted: everybody hears of every one, with the right count. Waits count from the commit; the loader and PostgreSQL share the machine.`,
    rows: [
      { contender: 'from the commit to the client, 1 of 2', result: at(0.5) },
      { contender: 'the same, 99 of 100', result: at(0.99) },
      { contender: 'the same, the slowest', result: at(1), aim: '≤ 1 s' },
      {
        contender: 'processor time of all in a silent second, PostgreSQL included',
        result: duration(cpu.silent * 1e6),
      },
      {
        contender: 'the same for asking once for each how many are unread',
        result: duration(cpu.polled * 1e6),
        ratio: times(cpu.polled, cpu.silent),
      },
      {
        contender: 'memory of the process: before, with all streams, after all events',
        result: `${memory.none}, ${memory.open}, ${memory.after} MiB`,
        aim: 'flat',
      },
    ],
  };
}
