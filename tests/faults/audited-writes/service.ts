// The service as a process whose clock and whose connections to PostgreSQL a test disturbs, and its log.
import fs from 'node:fs';
import path from 'node:path';
import { signIn, type UserRow } from '../../harness/factories.ts';
import { httpClient, type Reply } from '../../harness/fetch.ts';
import type { TestApp } from '../../harness/http.ts';
import { gate } from '../../start/gate.ts';
import { onDatabase, type Run, ready } from '../../start/program.ts';
import type { LogLine } from '../../workers/support.ts';

export type Body = Readonly<Record<string, unknown>>;

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly body?: object;
  readonly requestId: string;
}

export interface DisturbedService {
  ask(by: UserRow, call: Call): Promise<Reply<Body>>;
  /** Moves the clock to this far from the machine's. */
  jump(offsetMs: number): void;
  /** Ends about half of the sessions, as an administrator of PostgreSQL does. */
  terminate(): Promise<void>;
  /** Closes all sockets between the service and PostgreSQL. */
  cut(): Promise<void>;
  log(): LogLine[];
  stop(): Promise<void>;
}

/** Names the sessions of the process in PostgreSQL. */
const applicationName = 'audited-writes';

/** The service knows the keys of `app`, which signs people in at the time of the process. */
export async function startDisturbed(app: TestApp, run: Run): Promise<DisturbedService> {
  const { owner, name } = app.database;
  const proxy = await gate(app.database.appUrl);
  const settings = onDatabase(app.database);
  const offsetFile = path.join(settings.DATA_DIR, 'clock-offset');
  const program = run('src/main.ts', {
    ...settings,
    DATABASE_URL: named(proxy.through(settings.DATABASE_URL)),
    DATABASE_APP_URL: named(proxy.through(settings.DATABASE_APP_URL)),
    ...{ CLOCK_OFFSET_FILE: offsetFile, LOG_LEVEL: 'info', TOKEN_SIGNING_KEY: Buffer.alloc(32, 1).toString('base64') },
    ...{ RATE_LIMIT_USER_PER_MINUTE: '1000000', RATE_LIMIT_IP_PER_MINUTE: '1000000' },
  });
  const [, address = ''] = await program.until(ready);
  const http = httpClient(() => address);
  const tokens = new Map<string, Promise<string>>();
  let offset = 0;
  const tokenOf = (user: UserRow): Promise<string> => {
    const key = `${user.id} ${offset}`;
    const known = tokens.get(key);
    if (known) return known;
    app.clock.set(new Date(Date.now() + offset));
    const token = signIn(app, user);
    tokens.set(key, token);
    return token;
  };
  return {
    async ask(by, { method, path: url, body, requestId }) {
      const options = { token: await tokenOf(by), headers: { 'x-request-id': requestId } };
      return http.request<Body>(method, url, { ...options, ...(body && { body }) });
    },
    jump(offsetMs) {
      offset = offsetMs;
      // The process never reads half of a number.
      fs.writeFileSync(`${offsetFile}.new`, String(offset));
      fs.renameSync(`${offsetFile}.new`, offsetFile);
    },
    async terminate() {
      await owner.raw(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = ? and application_name = ? and random() < 0.5`,
        [name, applicationName],
      );
    },
    cut: async () => proxy.cut(),
    log: () =>
      program
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as LogLine),
    async stop() {
      await program.stop();
      proxy.shut();
      fs.rmSync(settings.DATA_DIR, { recursive: true, force: true });
    },
  };
}

function named(url: string): string {
  const changed = new URL(url);
  changed.searchParams.set('application_name', applicationName);
  return changed.href;
}
