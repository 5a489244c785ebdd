// Counts have a single writer, and the database refuses changes of stored counts.
import fs from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import { monday, type Pupil } from '../interventions/workflow/draft-bodies.ts';
import { sunday, useCounted } from './counted.ts';

const test = suite('the single writer of counts');
const { plans, deliver, recompute, snapshots, current, relay } = useCounted(test);
const { app, services } = plans.shell;
const { owner } = app.database;

const start = daysAfter(sunday, -28);
let pupil: Pupil;
test.before(() => app.clock.set(monday));
test.before.each(async () => {
  pupil = await plans.pupil();
});

const sources = ['src', 'workers'].flatMap((folder) =>
  fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.join(folder, name)),
);

test('one file writes both tables', () => {
  const writes =
    /'fidelity_(snapshot|current)'\)?[^;]*(insert|update|delete)|(into|update) fidelity_(snapshot|current)|'fidelity_snapshot', rows/;
  assert.equal(
    sources.filter((source) => writes.test(fs.readFileSync(source, 'utf8'))),
    ['src/support/fidelity/counting/store.ts'],
  );
});

test('a snapshot is neither changed nor removed; the newest count stays that of its assignment', async () => {
  const id = await plans.given(pupil, { startOn: start });
  await recompute(pupil, id);
  const { organizationId } = pupil;
  const refused = async (work: string, by = services.db) => {
    let message = '';
    await inContext(by, { organizationId }, (trx) => trx.raw(work)).catch((error: Error) => {
      message = error.message;
    });
    assert.match(message, /permission denied|append-only|refuse|changed|may not/i, work);
  };
  for (const by of [services.db, owner]) {
    await refused("update fidelity_snapshot set gate = 'pass' where organization_id <> ''", by);
    await refused("delete from fidelity_snapshot where organization_id <> ''", by);
  }
  await refused("delete from fidelity_current where organization_id <> ''");
  await refused("update fidelity_current set assignment_id = 'x' where organization_id <> ''");
  await refused('truncate fidelity_current');
});

test('two assignments take as many statements as eight in one reaction', async () => {
  const counted = async (size: number) => {
    const pupils = [pupil];
    while (pupils.length < size) pupils.push(await plans.classmate(pupil));
    for (const one of pupils) {
      if ((await current(one)).length === 0) await plans.given(one, { startOn: start });
    }
    await deliver(pupils, { deliveredOn: daysAfter(start, size) });
    let statements = 0;
    const listen = ({ sql }: { readonly sql: string }) => {
      if (/fidelity_|bundle_|student_support|app_user/.test(sql)) statements += 1;
    };
    app.database.app.on('query', listen);
    await relay();
    app.database.app.removeListener('query', listen);
    assert.is((await snapshots(pupils.at(-1) as Pupil)).length, 1);
    return statements;
  };
  const two = await counted(2);
  pupil = await plans.pupil();
  assert.is(await counted(8), two);
});

test.run();
