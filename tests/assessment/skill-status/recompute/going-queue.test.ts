// timeout: 120s
// A practice queue over several runs: each counted answer gives its sub-skill a row, and reads return it.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { recomputeStudents, replayRun } from '#assessment/skill-status/index.ts';
import { inContext } from '#core/platform/db.ts';
import { signIn } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildWorld, type World } from '../../../harness/world.ts';
import { practisingChild, right, wrong } from '../../measurement/practice/practising.ts';

const app = useApp(test);
let world: World;

test.before(async () => {
  world = await buildWorld(app);
});

interface SkillBody {
  readonly subSkillCode: string;
  readonly evidence: { readonly distinctItems: number };
}

interface Snapshot {
  readonly subSkillCode: string;
  readonly newestUnitRef: string;
}

const answered = 9;

test('nine answers to one sub-skill, a run after each: nine rows, and each read counts all of them', async () => {
  const kid = await practisingChild(app, world.own);
  const { body } = await kid.diagnostic.start();
  await kid.diagnostic.answerMany(body.sessionId, 1, wrong);
  await kid.diagnostic.finish(body.sessionId);
  await kid.seed(body.sessionId);
  const token = await signIn(app, world.own.people.TEACHER);
  const counts: number[] = [];
  for (let answers = 1; answers <= answered; answers += 1) {
    if (answers > 1) await kid.step(answers < 5 ? wrong : right, 5000);
    app.clock.advance(1000);
    await recomputeStudents(app.services, world.own.organizationId, [kid.user.id], 'practice_completed');
    const read = await app.get<{ items: SkillBody[] }>(`/api/sse/students/${kid.user.id}/skill-status`, { token });
    counts.push(...read.body.items.flatMap(({ evidence: { distinctItems: n } }) => (n > 0 ? [n] : [])));
  }
  assert.equal(counts, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const [rows, runs] = await inContext(app.database.owner, 'SUPER', async (trx) => [
    (await trx('sse_skill_snapshot').where({ studentId: kid.user.id }).orderBy('id')) as Snapshot[],
    (await trx('sse_run').where({ studentId: kid.user.id }).select('id')) as { id: string }[],
  ]);
  assert.is(rows.length, answered);
  assert.ok(new Set(rows.map((row) => row.newestUnitRef)).size < answered, 'the reference alone would not tell');
  for (const { id } of runs) {
    const { mismatches } = await inContext(app.database.owner, 'SUPER', (trx) =>
      replayRun(trx, app.services.rules, id),
    );
    assert.equal(mismatches, []);
  }
});

test.run();
