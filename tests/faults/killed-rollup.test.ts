// timeout: 120s
// A worker is killed while it counts a class: no part of its counts stays, and another one counts it once.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { recomputeStudents } from '#assessment/skill-status/index.ts';
import { inContext } from '#core/platform/db.ts';
import { refreshOrganization } from '#outcomes/aggregates/rollups/refresh.ts';
import { useApp } from '../harness/http.ts';
import { buildChild, eventually, finishDiagnostic, startWorker } from './world.ts';

const test = suite('killed roll-up');
const app = useApp(test, { rules: true });
const { owner } = app.database;
const timeoutMs = 60_000;

const rowsIn = (table: string) => inContext(owner, 'SUPER', (trx) => trx(table));
const waiting = () =>
  inContext(owner, 'SUPER', (trx) => trx('rollup_request').whereRaw('requested_seq > processed_seq'));

test('kill -9 between the rows of a class and those of its tiles: neither stays, then both are stored once', async () => {
  const child = await buildChild(owner);
  const first = await startWorker(app.database, undefined);
  const blocker = await owner.transaction();
  try {
    await blocker.raw('lock table org_daily_rollup in exclusive mode');
    await finishDiagnostic(owner, child, ['LK_SOUND', 'DEC_WORD']);
    await eventually('the worker waits inside its transaction', timeoutMs, async () => {
      const { rows } = await owner.raw(
        `select from pg_locks where relation = 'org_daily_rollup'::regclass and not granted
           and database = (select oid from pg_database where datname = current_database())`,
      );
      return rows.length > 0;
    });
    await first.kill();
  } finally {
    await blocker.rollback();
  }
  assert.equal([await rowsIn('org_daily_class'), await rowsIn('org_daily_rollup')], [[], []]);
  assert.is((await waiting()).length, 1);
  // The process used the machine's clock.
  app.clock.set(new Date());
  await recomputeStudents(app.services, child.organizationId, [child.id], 'diagnostic_finished');
  await refreshOrganization(app.services, child);
  assert.equal(await waiting(), []);
  const [classes, tiles] = [await rowsIn('org_daily_class'), await rowsIn('org_daily_rollup')];
  assert.equal([classes.length, classes[0]?.students, tiles.length], [1, 1, 6]);
  const [season] = Object.values(classes[0]?.measured as Record<string, number>).filter((count) => count > 0);
  assert.is(season, 1, 'the diagnostic that was evaluated meanwhile');
});

test.run();
