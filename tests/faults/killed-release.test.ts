// timeout: 120s
// A worker is killed while it publishes a school: no part of the release stays, and the next process publishes it once.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { nightlyRelease } from '#outcomes/aggregates/releases/nightly.ts';
import { useApp } from '../harness/http.ts';
import { buildSchools } from '../outcomes/aggregates/releases/evaluated-schools.ts';
import { eventually, startWorker } from './world.ts';

const test = suite('killed release');
const app = useApp(test, { rules: true });
const { owner } = app.database;
const timeoutMs = 60_000;

const tables = ['aggregate_release', 'aggregate_cell', 'aggregate_count'] as const;
const rowsIn = (table: string) =>
  inContext(owner, 'SUPER', (trx) => trx(table).orderBy('ledgerNo')) as Promise<Record<string, unknown>[]>;
const everything = () => Promise.all(tables.map(rowsIn));

test('kill -9 between the cells of a school and its counts: no row stays, then everything is published once', async () => {
  // The season has ended on any date of the machine's clock.
  const { organizationId, schools } = await buildSchools(owner, [[12, 9], [15]]);
  const blocker = await owner.transaction();
  const first = await startWorker(app.database, undefined);
  try {
    await blocker.raw('lock table aggregate_count in exclusive mode');
    await eventually('the worker waits inside its transaction', timeoutMs, async () => {
      const { rows } = await owner.raw(
        `select from pg_locks where relation = 'aggregate_count'::regclass and not granted
           and database = (select oid from pg_database where datname = current_database())`,
      );
      return rows.length > 0;
    });
    await first.kill();
  } finally {
    await blocker.rollback();
  }
  assert.equal(await everything(), [[], [], []]);
  app.clock.set(new Date());
  const turn = { organizationId, date: localDate(new Date(), 'Asia/Riyadh') };
  await Promise.all([nightlyRelease(app.services, turn), nightlyRelease(app.services, turn)]);
  const [releases = [], cells = [], counts = []] = await everything();
  const units = releases.map(({ unitId }) => unitId);
  assert.equal([units.length, units.at(-1)], [3, organizationId]);
  assert.equal(new Set(units), new Set([organizationId, ...schools.map(({ id }) => id)]));
  const subjects = new Set(cells.map(({ space, subject }) => `${space} ${subject}`)).size;
  const classes = schools.flatMap((school) => school.classes).length;
  const counted = cells.filter(({ unit, students }) => unit === 'class' && Number(students) > 0);
  assert.equal([cells.length, counts.length], [subjects * (classes + 3), counted.length]);
  assert.ok(counted.length > 0);
});

test.run();
