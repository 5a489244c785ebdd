// A large import holds a page of its rows, and never all of them: a walk over the statements of an upload, a preview, a commit,
// a sync without news and a revert, which counts what each of them answers and what it is given.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Db } from '#core/platform/db.ts';
import { buildPreview } from '#integrations/lms/preview/assemble/build.ts';
import { runSync } from '#integrations/lms/scheduled/run.ts';
import { buildClass } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { buildTenant, type Tenant } from '../../harness/world.ts';
import { rosterSet } from './sets.ts';
import { RosterAdmin } from './walk.ts';

const app = useApp(test, { rules: true });
const { owner } = app.database;
let tenant: Tenant;
const admin = new RosterAdmin(app, () => tenant.people.ADMIN);

const people = 2_600;
const classSize = 100;
/** Of rows and of values in a list; all rows of the roster are more than twice as many. */
const mostOfPage = 2_000;
const mostLetters = 1024 * 1024;

interface Answered {
  readonly sql: string;
  readonly bindings?: readonly unknown[];
  readonly response?: { readonly rows?: readonly unknown[] };
}

interface Most {
  readonly rows: number;
  readonly values: number;
  readonly letters: number;
}

/** The most that one statement has answered or was given while something was done. */
async function mostOf(db: Db, work: () => Promise<unknown>): Promise<Most> {
  let most: Most = { rows: 0, values: 0, letters: 0 };
  const look = (_: unknown, { bindings = [], response }: Answered) => {
    const lists = bindings.filter((one) => Array.isArray(one));
    const texts = bindings.filter((one) => typeof one === 'string');
    most = {
      rows: Math.max(most.rows, response?.rows?.length ?? 0),
      values: Math.max(most.values, ...lists.map(({ length }) => length)),
      letters: Math.max(most.letters, ...texts.map(({ length }) => length)),
    };
  };
  db.on('query-response', look);
  await work().finally(() => db.removeListener('query-response', look));
  return most;
}

const courseOf = (at: number) => `c-${Math.floor(at / classSize)}`;

async function steps() {
  tenant = await buildTenant(app);
  const { organizationId, school } = tenant;
  const ids = Array.from({ length: people }, (_, at) => `p-${String(at).padStart(5, '0')}`);
  const classes = [...new Set(ids.map((_, at) => courseOf(at)))];
  const set = rosterSet({
    classes: classes.map((id) => ({ id, title: id })),
    people: ids.map((id) => ({ id, email: `${id}-${organizationId}@example.com` })),
    enrolled: ids.map((person, at) => ({ course: courseOf(at), person })),
  });
  let connectionId = '';
  const upload = async () => {
    connectionId = (await admin.upload(set)).body.id;
    const mappings: Record<string, number> = {};
    for (const id of classes)
      mappings[id] = (await buildClass(owner, { organizationId, schoolId: school.id, grade: 3 })).id;
    await admin.map(mappings);
  };
  const key = { organizationId, id: '' };
  const preview = async () => {
    key.id = (await admin.ask(connectionId)).body.previewId;
    await buildPreview(app.services, key);
  };
  const commit = async () => {
    const { body } = await admin.commit(key.id);
    assert.equal(body, { created: 2 * people, updated: 0, skipped: 0, conflicts_remaining: 0 });
  };
  const sync = async () => {
    const { body } = await app.post<{ syncRunId: string }>(
      `/api/lms/connections/${connectionId}/sync-now`,
      {},
      admin.token,
    );
    await runSync(app.services, { organizationId, id: body.syncRunId });
    const run = await owner('lms_sync_run').where({ organizationId, id: body.syncRunId }).first();
    assert.equal(run.counts, { created: 0, updated: 0, skipped: 2 * people, conflicts: 0 });
  };
  const revert = async () => {
    const run = await owner('lms_sync_run').where({ organizationId, previewId: key.id }).first('id');
    const { body } = await app.post(`/api/lms/sync-runs/${run.id}/revert`, {}, admin.token);
    assert.equal(body, { reverted: 2 * people, kept: 0 });
  };
  return { upload, preview, commit, sync, revert };
}

test('no statement of an import answers more than a page, or is given more', async () => {
  for (const [name, work] of Object.entries(await steps())) {
    const { rows, values, letters } = await mostOf(app.database.app, work);
    assert.ok(rows > 0 && letters > 0, `${name}: statements were seen`);
    assert.ok(rows <= mostOfPage, `${name}: one statement answers ${rows} rows`);
    assert.ok(values <= mostOfPage, `${name}: one statement is given ${values} values`);
    assert.ok(letters <= mostLetters, `${name}: one statement is given ${letters} letters`);
  }
});

test.run();
