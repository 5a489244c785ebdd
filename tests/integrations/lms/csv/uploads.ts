// Sets that are sent and refused: the place and the word of the fault, and that nothing of it is kept.
import { zipSync } from 'fflate';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { type TestApp, useApp } from '../../../harness/http.ts';
import { buildTenant, type Tenant } from '../../../harness/world.ts';
import { type Files, jsonFiles } from '../sets.ts';

export type Sent = Files | Readonly<Record<string, Uint8Array>>;

interface Answer {
  readonly status: number;
  readonly body: { readonly id?: string; readonly details?: readonly { field: string; issue: string }[] };
}

/** Name, what is sent, the field and the issue of the first fault. */
export type Faulty = readonly (readonly [string, Sent, string, string])[];

export interface Uploads {
  readonly app: TestApp;
  /** Of the administrator who sends. */
  readonly token: () => string;
  send(set: Sent): Promise<Answer>;
  /** How many rows are kept. */
  stored(): Promise<number>;
  /** A test for each. */
  refuses(faulty: Faulty): void;
}

/** Each test begins without a connection. */
export function useUploads(test: Test): Uploads {
  const app = useApp(test, { rules: true });
  const { owner } = app.database;
  let tenant: Tenant;
  test.before(async () => {
    tenant = await buildTenant(app);
  });
  test.before.each(async () => {
    await owner('lms_source_row').delete();
    await owner('lms_connection').delete();
  });
  const token = () => tenant.people.ADMIN.token;
  const uploads: Uploads = {
    ...{ app, token },
    send: (set) =>
      app.post('/api/lms/connections/oneroster/token', { type: 'csv', files: jsonFiles(set) }, { token: token() }),
    stored: async () => Number((await owner('lms_source_row').count('* as count').first())?.count),
    refuses(faulty) {
      for (const [name, sent, field, issue] of faulty) {
        test(`${name} is refused as ${issue}, and nothing is kept`, async () => {
          const { status, body } = await uploads.send(sent);
          assert.is(status, 422);
          assert.equal(body.details?.[0], { field, issue }, JSON.stringify(body.details?.slice(0, 4)));
          assert.is(await uploads.stored(), 0);
        });
      }
    },
  };
  return uploads;
}

export const bytesOf = (set: Files) =>
  Object.fromEntries(Object.entries(set).map(([name, text]) => [name, new TextEncoder().encode(text)]));

export const zipped = (set: Files, extra: Record<string, Uint8Array> = {}) =>
  Buffer.from(zipSync({ ...bytesOf(set), ...extra }));
