// A process that overloads the service, with one bounded client of each kind. It receives its accounts over IPC, and sends its
// counts back.
import { randomUUID } from 'node:crypto';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Asked, askerOf } from './ask.ts';
import { type Counts, count } from './counts.ts';
import { startHostilePlatform } from './hostile-platform.ts';

export interface HostileOrders {
  readonly url: string;
  readonly classId: number;
  readonly studentIds: readonly number[];
  readonly liveSessionId: string;
  /** Access tokens, renewed before they expire. */
  readonly tokens: Readonly<Record<'reader' | 'uploader' | 'teacher' | 'student', string>>;
  /** The port of the school's learning platform. */
  readonly platformPort: number;
}

const mebi = 1_048_576;
const bodyLimitBytes = 256 * 1_024;
const uploadBytes = 20 * mebi;
const tellEveryMs = 5_000;
const counts: Counts = {};
let orders: HostileOrders | undefined;

function current(): HostileOrders {
  if (!orders) throw new RangeError('no orders were received');
  return orders;
}

const filled = (bytes: number, piece: string): string => {
  const times = Math.floor((bytes - 32) / (piece.length + 1));
  return `{"entries":[${Array.from({ length: times }, () => piece).join(',')}]}`;
};
const wrongArrays = ['{}', '[]', '0', '""', '[[[[]]]]', '{"":{}}'].map((piece) => filled(bodyLimitBytes, piece));
const upload = Buffer.from(`{"type":"csv","files":[${'{},'.repeat(Math.floor((uploadBytes - 64) / 3))}{}]}`);
const hostileTexts = ['@', 'a@', '0', '(', '\u0627', 'http://a?', '\u202e', '\\', '{"a":', ' '].map((piece) =>
  piece.repeat(1_000).slice(0, 1_000),
);
const repeated = <One>(times: number, one: (at: number) => One): One[] =>
  Array.from({ length: times }, (_, at) => one(at));

type Burst = (orders: HostileOrders, round: number) => readonly Asked[];
interface Kind {
  readonly pauseMs: number;
  readonly burst: Burst;
}

const events = () => repeated(50, () => ({ clientEventId: randomUUID(), type: 'hand_raised' }));
const logs = (round: number) =>
  repeated(50, (at) => ({ level: 'warn', message: hostileTexts[(at + round) % hostileTexts.length] }));

/** Sends all requests of a client at once, waits for the responses, and pauses. */
const kinds: Readonly<Record<string, Kind>> = {
  'wrong arrays': {
    pauseMs: 500,
    burst: ({ tokens }, round) =>
      repeated(4, (at) => ({
        path: ['/api/logs/client', '/api/cluster/bulk-activate'][at % 2] ?? '',
        token: tokens.teacher,
        raw: wrongArrays[(round + at) % wrongArrays.length] ?? '',
      })),
  },
  'heavy reads': {
    pauseMs: 1_000,
    burst: ({ tokens, classId, studentIds }) => {
      const paths = [
        `/api/rti/classes/${classId}/board`,
        `/api/students/${studentIds[0]}/data-room`,
        `/api/students/${studentIds[1]}/data-export`,
        `/api/sse/classes/${classId}/next-data-plan`,
      ];
      return repeated(40, (at) => ({ path: paths[at % paths.length] ?? '', token: tokens.reader }));
    },
  },
  'client logs': {
    pauseMs: 500,
    burst: ({ tokens }, round) =>
      repeated(2, () => ({ path: '/api/logs/client', token: tokens.student, body: { entries: logs(round) } })),
  },
  'raised hands': {
    pauseMs: 250,
    burst: ({ tokens, liveSessionId }) =>
      repeated(2, () => ({
        path: `/api/sync/sessions/${liveSessionId}/events`,
        token: tokens.student,
        body: { events: events() },
      })),
  },
  'sheets and letters': {
    pauseMs: 5_000,
    burst: ({ tokens, classId, studentIds }) => [
      ...repeated(14, () => ({
        path: `/api/classes/${classId}/quick-codes`,
        method: 'POST' as const,
        token: tokens.teacher,
        headers: { accept: 'application/pdf' },
      })),
      ...repeated(100, (at) => ({
        path: `/api/parent/pdf/${studentIds[at % studentIds.length]}`,
        token: tokens.teacher,
        body: {},
      })),
    ],
  },
  'uploads of 20 MiB': {
    pauseMs: 5_000,
    burst: ({ tokens }) => [{ path: '/api/lms/connections/oneroster/token', token: tokens.uploader, raw: upload }],
  },
  'hostile platform': {
    pauseMs: 2_000,
    burst: ({ tokens }) => repeated(4, () => ({ path: '/api/lms/oneroster/courses', token: tokens.uploader })),
  },
  'wrong sign-ins': {
    pauseMs: 1_000,
    burst: (_, round) => [
      {
        path: '/api/auth/login',
        body: { email: `unknown${round % 50}@example.org`, password: 'wrong password' },
        localAddress: '127.0.0.66',
      },
    ],
  },
};

async function repeat(name: string, { pauseMs, burst }: Kind): Promise<never> {
  const { ask } = askerOf(current().url, 128);
  for (let round = 0; ; round++) {
    const answers = await Promise.all(burst(current(), round).map(ask));
    for (const { status } of answers) count(counts, name, status);
    await sleep(pauseMs);
  }
}

/** Opens sockets that send `text` and then a byte now and then or nothing, read nothing, and reconnect once they are closed. */
async function hold(name: string, sockets: number, text: () => string, everyMs?: number): Promise<void> {
  const open = (): void => {
    const { hostname, port } = new URL(current().url);
    const socket = net.connect(Number(port), hostname);
    const drip = everyMs === undefined ? undefined : setInterval(() => socket.write(' '), everyMs);
    socket.once('connect', () => socket.write(text())).on('error', () => {});
    socket.once('close', () => {
      clearInterval(drip);
      count(counts, name, 0);
      setTimeout(open, 1_000);
    });
    if (everyMs === undefined) socket.pause();
    else socket.resume();
  };
  for (let at = 0; at < sockets; at++) open();
}

const head = (method: string, path: string, token: string, more = '') =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n${more}\r\n`;
const slowBody = () =>
  head(
    'POST',
    '/api/logs/client',
    current().tokens.student,
    'Content-Type: application/json\r\nContent-Length: 100000\r\n',
  );
const silentStream = () => head('GET', '/api/notifications/stream', current().tokens.teacher);

async function connectPlatform({ url, tokens, platformPort }: HostileOrders): Promise<void> {
  const platform = await startHostilePlatform(platformPort);
  const { ask } = askerOf(url, 1);
  const auth = { type: 'bearer', token: 'any' };
  const body = { type: 'rest', baseUrl: `http://127.0.0.1:${platformPort}/school`, auth };
  const { status, text } = await ask({ path: '/api/lms/connections/oneroster/token', token: tokens.uploader, body });
  if (status >= 300) throw new Error(`the hostile platform was not connected: ${status} ${text}`);
  platform.turnHostile();
}

async function begin(): Promise<void> {
  await connectPlatform(current());
  for (const [name, kind] of Object.entries(kinds)) void repeat(name, kind);
  await hold('slow bodies', 20, slowBody, 2_000);
  await hold('streams never read', 8, silentStream);
  setInterval(() => process.send?.(counts), tellEveryMs);
}

process.on('disconnect', () => process.exit(0));
process.on('message', (message: HostileOrders) => {
  const isFirst = orders === undefined;
  orders = message;
  if (isFirst) void begin();
});
