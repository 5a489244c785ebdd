// timeout: 180s
// A compiled table that answers wrongly is found by the reference engine at night, is answered by the reference engine from then on, and is
// released when it is right again.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { recomputeStudents } from '#assessment/skill-status/index.ts';
import { tablesOnFallback } from '#assessment/skill-status/reference-engine/fallback.ts';
import { replayModel } from '#backoffice/workbench/replays/model.ts';
import { runJob } from '#core/long-jobs/runner.ts';
import type { Services } from '#core/module/services.ts';
import { inContext } from '#core/platform/db.ts';
import type { ActiveRules } from '#rules/rulesets/active.ts';
import type { RuleBundle, Table } from '#rules/rulesets/index.ts';
import { answersOf } from '../../../assessment/skill-status/evidence.ts';
import { type Student, useShell } from '../../../assessment/skill-status/shell.ts';
import { shippedVersion } from '../../../harness/rules.ts';
import { orderNights } from '../replays/world.ts';

const test = suite('comparison with the reference engine');
const shell = useShell(test);
const { owner, app } = shell.app.database;

/** By table: two rules, each of which answers where the other one holds. */
type Swaps = Readonly<Record<string, readonly [string, string]>>;

function swapped(table: Table, [first, second]: readonly [string, string]): Table {
  const place = (ruleId: string) => table.decisions.findIndex((decision) => decision.ruleId === ruleId);
  const [one, other] = [place(first), place(second)];
  const decisions = [...table.decisions];
  const [left, right] = [decisions[one], decisions[other]];
  if (!left || !right) throw new Error('no such rules');
  decisions[one] = right;
  decisions[other] = left;
  return { ...table, decisions };
}

/** What a defect of the compiler would do: the documents are right, the compiled table is not. */
function faulty(rules: ActiveRules, swaps: Swaps): ActiveRules {
  const known = new Map<RuleBundle, RuleBundle>();
  const broken = (bundle: RuleBundle): RuleBundle => {
    const table: RuleBundle['table'] = (name) => {
      const swap = swaps[name];
      return swap ? swapped(bundle.table(name), swap) : bundle.table(name);
    };
    const found = known.get(bundle) ?? { ...bundle, table };
    known.set(bundle, found);
    return found;
  };
  return {
    prefetch: rules.prefetch,
    at: async (db, moment) => {
      const active = await rules.at(db, moment);
      return { ...active, rules: broken(active.rules) };
    },
    pinned: async (db, versions) => broken(await rules.pinned(db, versions)),
  };
}

const healthy = shell.services;
let harmed: Student;
const defective: Services = { ...healthy, rules: faulty(healthy.rules, { 'ssr/ssr': ['SSR-03', 'SSR-05'] }) };

interface Alert {
  readonly organizationId: string | null;
  readonly kind: string;
  readonly severity: string;
  readonly details: { readonly documentId: string };
}
interface Fallback {
  readonly documentId: string;
  readonly onFallback: boolean;
  readonly facts: Record<string, unknown>;
}

const fallbacks = (): Promise<Fallback[]> =>
  owner('rule_engine_fallback').orderBy('id').select('documentId', 'onFallback', 'facts');
const onFallbackNow = async () => [...(await inContext(app, 'SUPER', tablesOnFallback))];
const alerts = (): Promise<Alert[]> => owner('platform_alert').where({ code: 'ORACLE_MISMATCH' }).orderBy('id');

async function night(services: Services): Promise<void> {
  shell.app.clock.advance(86_400_000);
  await orderNights(services);
  const open: { id: string; organizationId: string }[] = await owner('rule_job')
    .where({ state: 'queued' })
    .select('id', 'organizationId');
  for (const job of open) await runJob(services, [replayModel], job);
}

const recompute = (services: Services, one: Student) =>
  recomputeStudents(services, one.organizationId, [one.id], 'diagnostic_finished');

async function statusOf(one: Student): Promise<string> {
  const rows = await shell.rows<{ subSkillCode: string; status: string; ssrRuleId: string }>('sse_skill_snapshot', one);
  const row = rows.filter(({ subSkillCode }) => subSkillCode === 'LK_SHAPE').at(-1);
  return `${row?.ssrRuleId} ${row?.status}`;
}

async function strongStudent(): Promise<Student> {
  const one = await shell.student();
  await shell.diagnostic(one, answersOf({ LK_SHAPE: 'CCCCC' }), { finishedAt: '2026-01-10T07:00:00.000Z' });
  return one;
}

test('while the tables agree with the reference engine, a night pins nothing', async () => {
  const student = await strongStudent();
  await recompute(healthy, student);
  assert.is(await statusOf(student), 'SSR-03 adequate');
  await night(healthy);
  assert.equal(await fallbacks(), []);
  assert.equal(await alerts(), []);
});

test('a wrong table does harm until the night finds it', async () => {
  harmed = await strongStudent();
  await recompute(defective, harmed);
  assert.is(await statusOf(harmed), 'SSR-05 monitor', 'the fault is real');
  await night(defective);
  assert.equal(await onFallbackNow(), ['ssr/ssr@1']);
  const stored = await fallbacks();
  assert.ok(stored.length >= 1);
  assert.ok(
    stored.every(({ documentId, onFallback, facts }) => documentId === 'ssr/ssr@1' && onFallback && facts.pacDecision),
  );
  const [alert, ...more] = await alerts();
  assert.equal(more, []);
  assert.equal([alert?.organizationId, alert?.kind, alert?.severity], [null, 'qa', 'critical']);
  assert.is(alert?.details.documentId, 'ssr/ssr@1');
});

test('from then on the reference engine answers, though the table is wrong still', async () => {
  const spared = await strongStudent();
  await recompute(defective, spared);
  assert.is(await statusOf(spared), 'SSR-03 adequate');
  const held = await shell.student();
  await shell.diagnostic(held, answersOf({ LK_SHAPE: 'CCCCU' }), { finishedAt: '2026-01-10T07:00:00.000Z' });
  await recompute(defective, held);
  assert.is(await statusOf(held), 'SSR-05 monitor');
});

test('whom the wrong table has harmed is put right by the next recompute, although nothing else is new', async () => {
  const runs = await shell.rows('sse_run', harmed);
  await recompute(defective, harmed);
  assert.is(await statusOf(harmed), 'SSR-03 adequate');
  assert.is((await shell.rows('sse_run', harmed)).length, runs.length + 1);
  await recompute(defective, harmed);
  assert.is((await shell.rows('sse_run', harmed)).length, runs.length + 1, 'once');
});

test('another night with the wrong table tells it again, and keeps the pin', async () => {
  await night(defective);
  assert.is((await alerts()).length, 2);
  assert.equal(await onFallbackNow(), ['ssr/ssr@1']);
});

test('when the table is right again the next night releases it, and a new fault is a new alert', async () => {
  await night(healthy);
  assert.equal(await onFallbackNow(), []);
  assert.is((await fallbacks()).at(-1)?.onFallback, false);
  const other = await strongStudent();
  await recompute(defective, other);
  assert.is(await statusOf(other), 'SSR-05 monitor');
  await night(defective);
  assert.equal(await onFallbackNow(), ['ssr/ssr@1']);
  assert.is((await alerts()).length, 3);
});

test('faults behind each other are all found in one night, even where the engine can only refuse', async () => {
  await night(healthy);
  const swaps: Swaps = { 'pac/pac': ['PAC-06', 'PAC-13'], 'ssr/ssr': ['SSR-01', 'SSR-03'] };
  const broken: Services = { ...healthy, rules: faulty(healthy.rules, swaps) };
  const weak = await shell.student();
  await shell.diagnostic(weak, answersOf({ LK_SHAPE: 'UUUUUUU' }), { finishedAt: '2026-01-10T07:00:00.000Z' });
  const thrown = await recompute(broken, weak).catch((error: Error) => error.message);
  assert.match(String(thrown), /SSR-01 withholds a status/, 'the weakness is taken for a strength');
  await night(broken);
  assert.equal((await onFallbackNow()).sort(), [`pac/pac@${shippedVersion('pac/pac')}`, 'ssr/ssr@1']);
  await recompute(broken, weak);
  assert.is(await statusOf(weak), 'SSR-12 weak_isolated');
  const strong = await strongStudent();
  await recompute(broken, strong);
  assert.is(await statusOf(strong), 'SSR-03 adequate');
  await night(healthy);
  assert.equal(await onFallbackNow(), []);
});

test.run();
