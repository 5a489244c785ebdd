// timeout: 180s
// The job behind an impact: it writes nothing but itself, gives the same bytes however often it is interrupted, and
// stops when it is called off.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { impactModelOf } from '#backoffice/workbench/impact/steps/model.ts';
import { holderOf, jobRows } from '#core/long-jobs/lease.ts';
import { runJob } from '#core/long-jobs/runner.ts';
import { cancelJob, type JobRow } from '#core/long-jobs/store.ts';
import { inContext } from '#core/platform/db.ts';
import { canonicalHash } from '#core/platform/pure/canonical-json.ts';
import type { RuleDocument } from '#rules/rulesets/index.ts';
import { useShell } from '../../../../assessment/skill-status/shell.ts';
import {
  buildPlace,
  edited,
  january,
  jobOf,
  leaseRunsOut,
  type Place,
  ruleOf,
  setConstant,
  startOf,
  startWith,
  storedChange,
  weakGatewaysNoLonger,
  workOn,
} from '../world.ts';

const test = suite('the job of an impact');
const shell = useShell(test);
const { owner } = shell.app.database;
let place: Place;

test.before(async () => {
  shell.app.clock.set(january(10));
  place = await buildPlace(shell, 4, 7);
});

const scope = () => ({ scope: { organizationId: place.organizationId } });
const few = { stored: 5, gathered: 5 };

const window = (): RuleDocument => edited('dth/dth', (draft) => setConstant(draft, 'DTH-WIN-01', 1));
const marks = (): RuleDocument =>
  edited('adr/adr', (draft) => {
    ruleOf(draft, 'ADR-10').event.params.deficit = 1;
  });

/** How many rows each table of the database has. */
async function rowCounts(): Promise<Record<string, number>> {
  const { rows } = await owner.raw(
    `select relname, (xpath('/row/n/text()', query_to_xml('select count(*) as n from ' || oid::regclass, false, true, '')))[1]::text::int as n
     from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
  );
  return Object.fromEntries(rows.map(({ relname, n }: { relname: string; n: number }) => [relname, n]));
}

test('nothing is written but the job, its event, and their audit', async () => {
  for (const document of [weakGatewaysNoLonger(), window()]) {
    const change = await storedChange(shell, [document]);
    const before = await rowCounts();
    const id = await startWith(shell, change, scope());
    await workOn(shell, id, few);
    assert.is((await jobOf(shell, id)).state, 'done');
    const after = await rowCounts();
    const grown = Object.keys(after).filter((table) => after[table] !== before[table]);
    assert.equal(grown.filter((table) => !table.startsWith('audit')).sort(), ['outbox', 'rule_job']);
    assert.is((after.outbox ?? 0) - (before.outbox ?? 0), 1);
    const event = await inContext(owner, 'SUPER', (trx) =>
      trx('outbox').orderBy('id', 'desc').first('topic', 'payload'),
    );
    assert.equal(event, { topic: 'rule_job.queued', payload: { jobId: id } });
  }
});

test('the same facts give the same bytes, in one step or in many, killed between any two of them', async () => {
  for (const document of [weakGatewaysNoLonger(), window(), marks()]) {
    const change = await storedChange(shell, [document]);
    const hashes = [];
    for (const atOnce of [{ stored: 500, gathered: 100 }, few]) {
      const id = await startWith(shell, change, scope());
      await workOn(shell, id, atOnce);
      hashes.push((await jobOf(shell, id)).reportHash);
    }
    const killed = await startWith(shell, change, scope());
    await workInPieces(killed);
    const job = await jobOf(shell, killed);
    hashes.push(job.reportHash);
    assert.is(new Set(hashes).size, 1, `${document.meta.family}: ${hashes}`);
    assert.is(job.reportHash, canonicalHash(job.report));
    assert.ok(job.report.students.changed > 0, document.meta.family);
    assert.equal([job.done, job.total], [12, 12]);
  }
});

/** Each step by a process of its own, which dies after it has written where it is, or before. */
async function workInPieces(id: string): Promise<void> {
  const model = impactModelOf(few);
  const { organizationId } = await jobOf(shell, id);
  for (let written = 0; written < 2; written += 1) {
    const job = (await jobRows(['impact']).claim(shell.services, { id, organizationId })) as JobRow<never, never>;
    const writer = holderOf(shell.services, job);
    await writer.size(await model.size(shell.services, job));
    await model.step(shell.services, job, job.position);
    const step = await model.step(shell.services, job, job.position);
    assert.not.ok(step.isLast, 'there is more to do');
    await writer.advance(step.done, step.position);
    await leaseRunsOut(shell, id);
  }
  await runJob(shell.services, [model], { id, organizationId });
}

test('an edit of the change and another activation change nothing of a job that was asked for before', async () => {
  const change = await storedChange(shell, [weakGatewaysNoLonger()]);
  const first = await startWith(shell, change, scope());
  await workOn(shell, first);
  const second = await startWith(shell, change, scope());
  await owner('rule_change').where({ id: change.id }).update({ state: 'draft' });
  await owner('rule_change_document').where({ changeId: change.id }).update(textOf(window()));
  await workOn(shell, second);
  assert.is((await jobOf(shell, second)).reportHash, (await jobOf(shell, first)).reportHash);
});

const textOf = (document: RuleDocument) => {
  const text = JSON.stringify(document);
  return { document: text, sha256: owner.raw("encode(sha256(convert_to(?, 'UTF8')), 'hex')", [text]) };
};

test('a job that is called off stops at its next step, and keeps no report', async () => {
  const id = await startOf(shell, weakGatewaysNoLonger(), scope());
  const { organizationId } = await jobOf(shell, id);
  const model = impactModelOf(few);
  let steps = 0;
  const cancelling: typeof model = {
    ...model,
    async step(services, job, position) {
      steps += 1;
      if (steps === 2) await inContext(owner, 'SUPER', (trx) => cancelJob(trx, job, shell.app.clock.now()));
      return model.step(services, job, position);
    },
  };
  await runJob(shell.services, [cancelling], { id, organizationId });
  const job = await jobOf(shell, id);
  assert.equal([job.state, job.report, job.done, steps], ['cancelled', null, 5, 2]);
  await workOn(shell, id);
  assert.is((await jobOf(shell, id)).state, 'cancelled', 'it is not taken up again');
});

test('a change that fails on stored evidence fails the job at once, with its reason', async () => {
  const withholding = edited('ssr/ssr', (draft) => {
    ruleOf(draft, 'SSR-08').event.params.outcome = 'do_not_decide_yet';
  });
  const id = await startOf(shell, withholding, scope());
  await workOn(shell, id);
  const job = await jobOf(shell, id);
  assert.equal([job.state, job.issue, job.attempts, job.report], ['failed', 'not_usable', 1, null]);
});

test.run();
