// timeout: 180s
// The process that serves a commit or a revert is killed: no row is written, and a repeated request gets the response
// of a first one.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { httpClient } from '../../harness/fetch.ts';
import { differencesOf, snapshotOf } from '../../integrations/lms/runs/snapshots.ts';
import { courses, useSchool } from '../../integrations/lms/school.ts';
import type { Roster } from '../../integrations/lms/sets.ts';
import { onDatabase, ready, usePrograms } from '../../start/program.ts';
import { noLimits } from '../../teaching/live-lessons/lesson.ts';
import { whileWaitingFor } from './waiting.ts';

const test = suite('killed commit');
const school = useSchool(test, { settings: noLimits });
const { app, admin } = school;
const run = usePrograms(test);
const timeoutMs = 60_000;

/** Tokens and previews are valid in another process, which uses the machine's clock. */
test.before(() => app.clock.set(new Date()));

/** The keys of the test's own service, so that its tokens are valid in the other process too. */
const keys = {
  TOKEN_SIGNING_KEY: Buffer.alloc(32, 1).toString('base64'),
  ...{ TOKEN_ENCRYPTION_KEY: Buffer.alloc(32, 2).toString('base64'), IP_HASH_SALT: 'test' },
};

const roster = (): Roster => ({
  classes: courses,
  people: [
    ...Array.from({ length: 40 }, (_, at) => ({ id: `s${at}` })),
    { id: 't1', role: 'teacher', email: `${newId()}@school.example` },
  ],
  enrolled: [
    ...Array.from({ length: 40 }, (_, at) => ({ course: at % 2 ? 'A' : 'B', person: `s${at}` })),
    { course: 'A', person: 't1', role: 'teacher' },
  ],
});

/**
 * Sends the request to another process, which is killed at a table that it writes late. No row of the organization
 * differs.
 */
async function killedIn(path: string): Promise<void> {
  const { organizationId } = school.tenant;
  const program = run('src/main.ts', { ...onDatabase(app.database), ...keys, ...noLimits, WORKERS: 'none' });
  const [, address = ''] = await program.until(ready);
  const before = await snapshotOf(school.owner, organizationId, {});
  let asked: Promise<unknown> = Promise.resolve();
  await whileWaitingFor(school.owner, 'external_identity', {
    timeoutMs,
    begin: async () => {
      asked = httpClient(() => address)
        .post(path, {}, admin.token)
        .then(
          ({ status, body }) => assert.unreachable(`answered with ${status}: ${JSON.stringify(body)}`),
          (error: Error) => error,
        );
    },
    work: async () => {
      program.child.kill('SIGKILL');
      await program.ended();
    },
  });
  await asked;
  assert.equal(differencesOf(before, await snapshotOf(school.owner, organizationId, {})), {});
}

test('kill -9 in a commit, and in its revert: no partial rows, and the second attempt succeeds', async () => {
  const id = await school.connect(roster());
  const { previewId } = await admin.preview(id);
  await killedIn(`/api/lms/commit/${previewId}`);
  const committed = await admin.commit(previewId);
  assert.equal(
    [committed.status, committed.body],
    [200, { created: 82, updated: 0, skipped: 0, conflicts_remaining: 0 }],
  );
  const runId = await school.runOf(previewId);
  await killedIn(`/api/lms/sync-runs/${runId}/revert`);
  const reverted = await school.revert(runId);
  assert.equal([reverted.status, reverted.body], [200, { reverted: 82, kept: 0 }]);
});

test.run();
