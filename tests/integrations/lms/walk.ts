// An administrator who imports rosters over HTTP; previews are built by the relay's jobs.
import { jobsOf } from '#core/module/capability.ts';
import type { Job } from '#core/platform/queue/queue.ts';
import type { PreviewRowView } from '#integrations/lms/preview/schemas.ts';
import { queueNames } from '#integrations/lms/turns/open-jobs.ts';
import { relayAll } from '../../../workers/relay.ts';
import type { TestApp } from '../../harness/http.ts';
import type { Person } from '../../harness/world.ts';
import { type Files, jsonFiles } from './sets.ts';

export interface Preview {
  readonly previewId: string;
  readonly state: string;
  readonly summary: Readonly<Record<'create' | 'update' | 'conflict' | 'skip', number>>;
  readonly warnings: readonly object[];
  readonly rows: readonly PreviewRowView[];
  readonly nextCursor: string | null;
}

export class RosterAdmin {
  readonly app: TestApp;
  readonly #by: () => Person;

  constructor(app: TestApp, by: () => Person) {
    this.app = app;
    this.#by = by;
  }

  get token() {
    return { token: this.#by().token };
  }

  upload(set: Files) {
    const body = { type: 'csv', files: jsonFiles(set) };
    return this.app.post<{ id: string }>('/api/lms/connections/oneroster/token', body, this.token);
  }

  map(mappings: Readonly<Record<string, number | null>>) {
    const body = Object.entries(mappings).map(([courseExternalId, classId]) => ({ courseExternalId, classId }));
    return this.app.post('/api/lms/oneroster/mappings', { mappings: body }, this.token);
  }

  ask(connectionId: string, courseExternalIds?: readonly string[]) {
    return this.app.post<Preview>('/api/lms/preview', { connectionId, courseExternalIds }, this.token);
  }

  /** Built, with all its rows. */
  async preview(connectionId: string, courseExternalIds?: readonly string[]): Promise<Preview> {
    const asked = await this.ask(connectionId, courseExternalIds);
    if (asked.status !== 201) throw new Error(JSON.stringify(asked.body));
    await this.work();
    return this.read(asked.body.previewId);
  }

  async read(previewId: string): Promise<Preview> {
    const at = (cursor: string) =>
      this.app.get<Preview>(`/api/lms/preview/${previewId}?limit=100${cursor}`, this.token);
    let { body } = await at('');
    const rows = [...body.rows];
    while (body.nextCursor) {
      ({ body } = await at(`&cursor=${encodeURIComponent(body.nextCursor)}`));
      rows.push(...body.rows);
    }
    return { ...body, rows };
  }

  /** What the workers do. */
  async work(): Promise<void> {
    const { services } = this.app;
    const { reactions, handlers } = jobsOf(services.capabilities);
    const jobs: Job[] = [];
    await relayAll(services, { add: async (more: readonly Job[]) => void jobs.push(...more) } as never, reactions);
    const own: readonly string[] = queueNames;
    for (const { queue, data } of jobs.filter((job) => own.includes(job.queue))) {
      const handler = handlers.find((one) => one.queue === queue);
      await handler?.handle(services, data, new AbortController().signal);
    }
  }

  resolve(previewId: string, rowId: string, resolution: string | null) {
    return this.app.patch(`/api/lms/preview/${previewId}/rows/${rowId}`, { resolution }, this.token);
  }

  resolveAll(previewId: string, reasonCode: string, resolution: string | null) {
    return this.app.patch(`/api/lms/preview/${previewId}/rows`, { reasonCode, resolution }, this.token);
  }

  commit(previewId: string) {
    return this.app.post<Readonly<Record<string, unknown>>>(`/api/lms/commit/${previewId}`, {}, this.token);
  }
}

/** What a preview says, row by row. */
export const reported = ({ rows }: Preview): string[] =>
  rows.map(({ entity, action, reasonCode, external }) => {
    const id =
      'externalId' in external ? external.externalId : `${external.personExternalId}@${external.courseExternalId}`;
    return `${entity} ${id}: ${action}/${reasonCode}`;
  });

export const rowOf = ({ rows }: Preview, id: string): PreviewRowView => {
  const found = rows.find(({ external }) =>
    'externalId' in external
      ? external.externalId === id
      : `${external.personExternalId}@${external.courseExternalId}` === id,
  );
  if (!found) throw new Error(`no row of ${id}`);
  return found;
};
