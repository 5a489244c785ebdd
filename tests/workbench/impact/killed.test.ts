// timeout: 240s
// A worker process that is killed in the middle of an impact: another one goes on, and the report has the same bytes.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '../../../src/platform/db.ts';
import { eventually, startWorker } from '../../faults/world.ts';
import { useShell } from '../../skill-status/shell.ts';
import { buildDraft, buildPlace, january, jobOf, startWith, weakGatewaysNoLonger, workOn } from './world.ts';

const test = suite('a killed worker in the middle of an impact');
const shell = useShell(test);
const { database } = shell.app;
const { owner } = database;
const patienceMs = 90_000;
const students = 3_000;

/** More students with the runs of those that are there, so that there are many steps. */
const multiply = (organizationId: string, count: number) =>
  inContext(owner, 'SUPER', (trx) =>
    trx.raw(
      `with person as (
         insert into app_user (organization_id, scope, primary_persona, full_name_ar, created_at)
         select :organizationId, 'ORGANIZATION', 'STUDENT', 'طالب', now() from generate_series(1, :count) returning id),
       numbered as (select id, row_number() over (order by id) as place from person),
       known as (select *, row_number() over (order by seq) as place, count(*) over () as size from sse_run
         where organization_id = :organizationId)
       insert into sse_run (id, organization_id, student_id, school_year, trigger, as_of, window_from, window_to, grade,
         context_review, outcome, halted, next_data_action, evaluated_sub_skills, input, input_hash, result_hash,
         response_rule_ids, response_codes, tiles, bundle_id, rule_versions, created_at)
       select 'c' || substr(md5(n.id::text), 1, 23), :organizationId, n.id, school_year, trigger, as_of, window_from,
         window_to, grade, context_review, outcome, halted, next_data_action, evaluated_sub_skills, input, input_hash,
         result_hash, response_rule_ids, response_codes, tiles, bundle_id, rule_versions, created_at
       from numbered n join known k on k.place = (n.place - 1) % k.size + 1`,
      { organizationId, count },
    ),
  );

test('kill -9 between the first step and the last', async () => {
  shell.app.clock.set(january(10));
  const { organizationId, studentIds } = await buildPlace(shell, 3, 21);
  await multiply(organizationId, students);
  const draft = await buildDraft(shell, weakGatewaysNoLonger());
  const order = { scope: { organizationId }, asOf: january(10) };
  const undisturbed = await startWith(shell, draft, order);
  await workOn(shell, undisturbed);
  const first = await startWorker(database, undefined);
  const id = await startWith(shell, draft, order);
  await eventually('the job is in the middle', patienceMs, async () => (await jobOf(shell, id)).done > 0);
  await first.kill();
  const interrupted = await jobOf(shell, id);
  assert.is(interrupted.state, 'running');
  assert.ok(interrupted.done < students, `killed after ${interrupted.done}`);
  const second = await startWorker(database, undefined);
  try {
    await eventually('another worker ends it', patienceMs, async () => (await jobOf(shell, id)).state === 'done');
  } finally {
    await second.stop();
  }
  const [one, other] = [await jobOf(shell, undisturbed), await jobOf(shell, id)];
  assert.is(other.reportHash, one.reportHash);
  assert.is(other.report.students.evaluated, students + studentIds.length);
});

test.run();
