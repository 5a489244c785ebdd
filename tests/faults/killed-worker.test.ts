// timeout: 300s
// A worker process is killed in the middle of a recompute: no partial rows stay, and another worker completes it.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { replayRun } from '#assessment/skill-status/index.ts';
import { inContext } from '#core/platform/db.ts';
import { activeRules } from '#rules/rulesets/active.ts';
import { useDatabase } from '../harness/database.ts';
import { withRedis } from '../harness/needs.ts';
import { installShippedRules } from '../harness/rules.ts';
import {
  buildChild,
  eventually,
  finishDiagnostic,
  isServed,
  progressOf,
  redisDatabase,
  resultCounts,
  startWorker,
} from './world.ts';

/** Either the queue or the sweep restarts the job of the killed worker, once its lock has expired. */
const timeoutMs = 60_000;
const subSkills = ['LK_SOUND', 'DEC_WORD', 'VOC_MEANING', 'LIS_LITERAL', 'PA_BLEND'];

function killOn(store: string, redisUrl: string | undefined): void {
  const test = suite(`killed worker, queue on ${store}`);
  const database = useDatabase(test);
  const { owner } = database;
  test.before(() => installShippedRules(owner));

  test('kill -9 inside the transaction: no rows, then everything once', async () => {
    const child = await buildChild(owner);
    const first = await startWorker(database, redisUrl);
    const blocker = await owner.transaction();
    try {
      await blocker.raw('lock table sse_domain_snapshot in exclusive mode');
      await finishDiagnostic(owner, child, subSkills);
      await eventually('the worker waits inside its transaction', timeoutMs, async () => {
        const { rows } = await owner.raw(
          `select from pg_locks where relation = 'sse_domain_snapshot'::regclass and not granted
             and database = (select oid from pg_database where datname = current_database())`,
        );
        return rows.length > 0;
      });
      await first.kill();
    } finally {
      await blocker.rollback();
    }
    assert.equal(await resultCounts(owner, child), { runs: 0, codes: 0, skills: 0, domains: 0, tiles: 0, events: 0 });
    assert.is((await progressOf(owner, child))?.processedSeq, 0, 'still requested');
    const second = await startWorker(database, redisUrl);
    try {
      await eventually('another worker serves the request', timeoutMs, () => isServed(owner, child));
    } finally {
      await second.stop();
    }
    assert.equal(await resultCounts(owner, child), { runs: 1, codes: 30, skills: 5, domains: 9, tiles: 7, events: 1 });
    const { id } = await inContext(owner, child, (trx) => trx('sse_run').where({ studentId: child.id }).first('id'));
    const replay = await inContext(database.app, child, (trx) => replayRun(trx, activeRules(), id));
    assert.is(replay.match, true);
  });

  test.run();
}

killOn('PostgreSQL', undefined);
withRedis('a killed worker, queue on Redis', (server) => killOn('Redis', redisDatabase(server, 11)));
