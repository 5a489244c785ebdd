// The steps of a roster over HTTP, as an administrator and a schedule take them: files, preview, commit, then the same roster
// from a OneRoster service without changes, and the commit reverted.

import { buildOrganization, buildSchool, buildUser, type UserRow } from '../../tests/harness/factories.ts';
import type { AnsweringServer } from '../../tests/harness/lms/answering-server.ts';
import { serveOneRoster } from '../../tests/harness/lms/one-roster.ts';
import { jsonFiles } from '../../tests/integrations/lms/sets.ts';
import { type Client, clientOf, signIn } from '../harness/client.ts';
import type { Service } from '../harness/service.ts';
import { type Watched, watched } from './resident.ts';
import { filesOf, listsOf, type Roster, rosterOf } from './rows.ts';

export const steps = ['upload', 'preview', 'commit', 'sync without news', 'revert'] as const;
export type Step = (typeof steps)[number];

const mappingsOfRequest = 500;
const askEveryMs = 20;
const timeoutMs = 600_000;

interface Walking {
  readonly service: Service;
  readonly server: AnsweringServer;
}

/** Runs in an organization of its own. Throws Error if a count differs from the roster. */
export async function walkRoster({ service, server }: Walking, rows: number): Promise<ReadonlyMap<Step, Watched>> {
  const roster = rosterOf(rows);
  const files = { type: 'csv', files: jsonFiles(filesOf(roster)) };
  const { baseUrl, tokenUrl, clientId, clientSecret } = serveOneRoster(server, { version: '1.1', ...listsOf(roster) });
  const rest = { type: 'rest', baseUrl, tokenUrl, clientId, clientSecret };
  const organizationId = (await buildOrganization(service.owner)).id;
  const user = await buildUser(service.owner, 'ADMIN', { organizationId });
  // Opens new connections, because the process closes those that were idle for five seconds.
  const client = clientOf(service.url, 1);
  try {
    return await walk({ admin: new Admin(service, client, organizationId, user), service, roster, rows, files, rest });
  } finally {
    client.close();
  }
}

interface Way {
  readonly admin: Admin;
  readonly service: Service;
  readonly roster: Roster;
  readonly rows: number;
  readonly files: object;
  readonly rest: object;
}

async function walk({ admin, service, roster, rows, files, rest }: Way): Promise<ReadonlyMap<Step, Watched>> {
  const found = new Map<Step, Watched>();
  const step = async <Outcome>(name: Step, work: () => Promise<Outcome>): Promise<Outcome> => {
    await admin.signIn();
    const { outcome, ...times } = await watched(service.pids, work);
    console.error(
      `${rows} rows, ${name}: ${times.seconds.toFixed(2)} s, processor ${times.processorSeconds.toFixed(2)} s, MiB ${JSON.stringify(times.peak)}`,
    );
    found.set(name, times);
    return outcome;
  };
  const uploaded = await step('upload', () => admin.connect(files));
  await admin.mapAll(roster);
  const preview = await step('preview', () => admin.preview(uploaded));
  requireCount(preview.summary, { create: rows, update: 0, conflict: 0, skip: 0 });
  const committed = await step('commit', () => admin.post(`/api/lms/commit/${preview.previewId}`));
  requireCount(committed, { created: rows, updated: 0, skipped: 0, conflicts_remaining: 0 });
  const { id: commitRunId } = await admin.newestRun();
  await admin.disconnect(uploaded);
  const asked = await admin.connect(rest);
  await admin.sync(asked);
  const { counts } = await step('sync without news', () => admin.sync(asked));
  requireCount(counts, { created: 0, updated: 0, skipped: rows, conflicts: 0 });
  const reverted = await step('revert', () => admin.post(`/api/lms/sync-runs/${commitRunId}/revert`, {}));
  requireCount(reverted, { reverted: rows, kept: 0 });
  await admin.disconnect(asked);
  return found;
}

function requireCount(actual: unknown, expected: Readonly<Record<string, number>>): void {
  const of = (counts: object) => JSON.stringify(Object.entries(counts).sort());
  if (of(Object(actual)) !== of(expected))
    throw new Error(`${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
}

interface Preview {
  readonly previewId: string;
  readonly state: string;
  readonly summary: unknown;
}

interface Run {
  readonly id: string;
  readonly state: string;
  readonly counts: unknown;
}

class Admin {
  readonly #service: Service;
  readonly #client: Client;
  readonly #organizationId: string;
  readonly #user: UserRow;
  #token = '';

  constructor(service: Service, client: Client, organizationId: string, user: UserRow) {
    this.#service = service;
    this.#client = client;
    this.#organizationId = organizationId;
    this.#user = user;
  }

  /** A token is valid for 15 minutes, and the steps of a large roster may take longer together. */
  async signIn(): Promise<void> {
    this.#token = await signIn(this.#service, this.#user);
  }

  async post<Answer = unknown>(path: string, body?: object): Promise<Answer> {
    return JSON.parse(await this.#client.ask('POST', path, this.#token, body));
  }

  /** Returns the id of the connection. */
  async connect(sent: object): Promise<string> {
    return (await this.post<{ id: string }>('/api/lms/connections/oneroster/token', sent)).id;
  }

  disconnect(connectionId: string): Promise<unknown> {
    return this.#client.ask('DELETE', `/api/lms/connections/${connectionId}`, this.#token);
  }

  /** Maps each course to a class of its own. */
  async mapAll({ courses }: Roster): Promise<void> {
    const { owner } = this.#service;
    const organizationId = this.#organizationId;
    const { id: schoolId } = await buildSchool(owner, { organizationId });
    const made = { organizationId, schoolId, grade: 3, academicYear: '2026-2027', createdAt: new Date() };
    for (let from = 0; from < courses.length; from += mappingsOfRequest) {
      const part = courses.slice(from, from + mappingsOfRequest);
      const rows = part.map((name) => ({ ...made, name }));
      const classes: { id: number; name: string }[] = await owner('class').insert(rows).returning(['id', 'name']);
      const mappings = classes.map(({ id: classId, name: courseExternalId }) => ({ courseExternalId, classId }));
      await this.post('/api/lms/oneroster/mappings', { mappings });
    }
  }

  /** Resolves when the preview can be read. */
  async preview(connectionId: string): Promise<Preview> {
    const { previewId } = await this.post<Preview>('/api/lms/preview', { connectionId });
    const preview = await until('the preview is built', async () => {
      const current: Preview = JSON.parse(
        await this.#client.ask('GET', `/api/lms/preview/${previewId}?limit=1`, this.#token),
      );
      return current.state === 'building' ? undefined : current;
    });
    if (preview.state !== 'ready') throw new Error(`the preview is ${preview.state}`);
    return preview;
  }

  async newestRun(): Promise<Run> {
    const { owner } = this.#service;
    return owner('lms_sync_run').where({ organizationId: this.#organizationId }).orderBy('createdAt', 'desc').first();
  }

  /** Resolves when the run has ended. */
  async sync(connectionId: string): Promise<Run> {
    await this.post(`/api/lms/connections/${connectionId}/sync-now`);
    const run = await until('the sync has ended', async () => {
      const newest = await this.newestRun();
      return newest.state === 'queued' || newest.state === 'running' ? undefined : newest;
    });
    if (run.state !== 'succeeded') throw new Error(`the sync ended as ${JSON.stringify(run)}`);
    return run;
  }
}

async function until<Found>(what: string, look: () => Promise<Found | undefined>): Promise<Found> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`timed out waiting until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, askEveryMs));
  }
}
