// timeout: 300s
// The recipes of docs/recipes.md: a small capability that is added to the service gets its routes, events, jobs, rules
// and simulations. Also tests the rules that all capabilities together must follow.
import Type from 'typebox';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { capabilities } from '#app/capabilities.ts';
import { recomputeStudents } from '#assessment/skill-status/index.ts';
import { changesResults } from '#backoffice/workbench/activation/recompute.ts';
import { explainStamp } from '#backoffice/workbench/explain/explainers.ts';
import { replayChunk } from '#backoffice/workbench/replays/chunk.ts';
import { readerFindings } from '#backoffice/workbench/validation/engine/readers.ts';
import { ruleUse } from '#backoffice/workbench/validation/rule-use.ts';
import { ok } from '#core/http/answers.ts';
import { IntegerId, object } from '#core/http/schemas.ts';
import { openAlert } from '#core/module/alerts.ts';
import { type Capability, eventsOf, jobsOf } from '#core/module/capability.ts';
import { appendEvents, eventKind, newEvent } from '#core/module/events.ts';
import { reaction } from '#core/module/jobs.ts';
import { publicRoute } from '#core/module/route.ts';
import { inContext, readTransactionIn, type Trx } from '#core/platform/db.ts';
import { unsafeTexts } from '#rules/language/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { supportCommands } from '#support/interventions/index.ts';
import { relayAll } from '../../../workers/relay.ts';
import { scheduler } from '../../../workers/schedules.ts';
import { answersOf, buildDiagnostic, testBanks } from '../../assessment/skill-status/evidence.ts';
import { buildClass, buildOrganization, buildStudent } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { capturedLog, noQueues } from '../../workers/support.ts';

const followed: string[] = [];
const grown = eventKind({ topic: 'small.grown', summary: 'It has grown.', payload: object({ size: IntegerId }) });
const alert = { kind: 'qa', code: 'SMALL', severity: 'medium', subject: 'day', summary: 'It is small.' } as const;
const delivered: number[] = [];

const small: Capability = {
  name: 'small',
  routes: [
    publicRoute({
      ...{ method: 'get', path: '/api/small', operation: 'getSmall', summary: 'Small', tag: 'small', demo: 'read' },
      answers: { 200: object({ size: Type.Integer() }) },
      run: async () => ok({ size: 1 }),
    }),
  ],
  events: [grown],
  reactions: [
    reaction({
      name: 'small-delivered',
      to: [grown],
      toJobs: async (_trx, events) => {
        delivered.push(...events.map(({ payload }) => payload.size));
        return [];
      },
    }),
  ],
  daily: [
    {
      name: 'small-daily',
      dailyAt: 0,
      of: 'organization',
      run: ({ db, clock }, _queues, { organizationId, date }) =>
        inContext(db, { organizationId }, (trx) =>
          openAlert(trx, alert, { organizationId, subjectId: date, details: {}, at: clock.now() }),
        ),
    },
  ],
  alerts: [alert],
  personalData: [{ name: 'small', tables: [{ table: 'enrollment', student: 'studentId' }] }],
  ruleFamilies: [{ family: 'small' }],
  runProjections: [
    {
      documents: ['small/small'],
      project: async (_trx, _services, { runs }) => {
        followed.push(...runs.map(({ runId }) => runId));
        return [];
      },
      replay: async (_reading, _services, runs) => new Map(runs.map(({ id }) => [id, ['small']])),
    },
  ],
  studentTiers: async (_trx, _organizationId, ids) =>
    new Map(ids.map((id) => [id, { tier: 3, tierSince: '2026-01-04', acuteOpen: true, newestMove: null }])),
  ruleReaders: [(bundle) => void bundle.table('small/small' as never)],
  texts: [
    () => [{ id: 'small/size', tiers: ['parent'], template: 'الحجم {{size}}', variables: { size: ['كبير', 'ضعيف'] } }],
  ],
  explainers: [
    { kinds: ['small'], view: object({ id: Type.String() }), explain: async (_trx, _all, _kind, id) => ({ id }) },
  ],
};

const app = useApp(test, { capabilities: [...capabilities, small], rules: true });
const { services, clock } = app;
const { owner } = app.database;
const { log } = capturedLog();
const { reactions } = jobsOf(services.capabilities);
let organizationId: string;

test.before(async () => {
  organizationId = (await buildOrganization(owner)).id;
});

test('its route responds, and its section is part of the archive', async () => {
  assert.equal((await app.get('/api/small')).body, { size: 1 });
  assert.ok(services.personalData.some(({ name }) => name === 'small'));
});

test('its event is delivered; one with an invalid payload is not written', async () => {
  const append = (size: number) =>
    inContext(owner, 'SUPER', (trx) => appendEvents(trx, clock.now(), [newEvent(grown, organizationId, { size })]));
  await append(3);
  assert.match(String(await append(0).catch((error: unknown) => error)), 'EventMisfit');
  await relayAll(services, noQueues, reactions, log);
  assert.equal(delivered, [3]);
});

test('a stored event with an invalid payload is parked, and the others are delivered', async () => {
  const row = { organizationId, topic: 'small.grown', createdAt: clock.now() };
  const sizes: unknown[] = [4, 'five', 6];
  await owner('outbox').insert(sizes.map((size) => ({ ...row, payload: JSON.stringify({ size }) })));
  await relayAll(services, noQueues, reactions, log);
  assert.equal(delivered, [3, 4, 6]);
  const [open, ...more] = await owner('outbox_retry').where({ organizationId });
  assert.equal([open?.reaction, open?.lastError, more.length], ['small-delivered', 'EventMisfit', 0]);
});

test('its daily job is run, and opens its alert once', async () => {
  const due = scheduler({ services, queues: noQueues, log, schedules: [], daily: small.daily ?? [] });
  for (let tick = 0; tick < 2; tick += 1) {
    clock.advance(4_000);
    await due.tick();
    await due.idle();
  }
  const alerts = await owner('platform_alert').where({ organizationId });
  assert.equal(
    alerts.map(({ code, severity }) => [code, severity]),
    [['SMALL', 'medium']],
  );
});

test('its rules are checked before publication, and its results are explained', async () => {
  const bundle = { table: (name: string) => assert.unreachable(`${name} is missing`) } as unknown as RuleBundle;
  const [finding] = readerFindings(bundle, ruleUse([small]).readers);
  assert.match(finding?.message ?? '', 'small/small is missing');
  assert.equal(await explainStamp(readTransactionIn(owner, 'SUPER'), services, 'small:7'), { id: '7' });
});

test('its text is rendered with every value and checked by the filter of its readers before a draft is approved', async () => {
  const rules = await inContext(owner, 'SUPER', async (trx) => (await services.rules.at(trx, clock.now())).rules);
  const unsafe = (of: readonly Capability[]) => unsafeTexts(rules, ruleUse(of).texts({}));
  assert.equal(
    unsafe([small]).map(({ id, tier }) => [id, tier]),
    [['small/size', 'parent']],
  );
  assert.equal(unsafe([{ ...small, texts: [] }]), []);
});

test('it projects a run in its transaction, is repeated by replays, and reports the state of a student', async () => {
  const classRow = await buildClass(owner, { grade: 2 });
  const { organizationId } = classRow;
  const student = { ...(await buildStudent(owner, classRow)), organizationId };
  const finishedAt = clock.now().toISOString();
  await buildDiagnostic(owner, student, answersOf({ DEC_WORD: 'CCCC' }), { finishedAt, announced: false });
  const parts = { ...services, itemBanks: testBanks() };
  await recomputeStudents(parts, organizationId, [student.id]);
  const inOrganization = <T>(work: (trx: Trx) => Promise<T>) => inContext(owner, { organizationId }, work);
  const [run] = await inOrganization((trx) => trx('sse_run').where({ studentId: student.id }).select('id', 'seq'));
  assert.equal(followed, [run.id]);
  const [replayed] = await replayChunk.run(parts, { organizationId, seqs: [run.seq] });
  assert.equal([replayed?.verdict, replayed?.fields], ['rules_differ', ['small']]);
  assert.ok(changesResults(services, ['small/small']));
  const of = { organizationId, studentIds: [student.id], now: clock.now() };
  const { situations } = await inOrganization((trx) => supportCommands.situationsOf(trx, parts, of));
  const { tier, acuteOpen, recommendation } = situations.get(student.id) ?? {};
  assert.equal([tier, acuteOpen, recommendation?.facts.acuteOpen], [3, true, true]);
});

test('an event that no capability raises cannot have a subscriber, and a topic has one publisher', () => {
  assert.ok(eventsOf(capabilities).size >= 8);
  assert.throws(
    () => eventsOf([{ ...small, events: [] }]),
    /small-delivered reacts to small\.grown, which no capability raises/,
  );
  assert.throws(
    () => eventsOf([small, { name: 'other', events: [grown] }]),
    /two of the name small\.grown among topics/,
  );
  // @ts-expect-error a topic is no event
  assert.throws(() => jobsOf([{ name: 'x', reactions: [reaction({ name: 'x', to: ['y'], toJobs: async () => [] })] }]));
  // @ts-expect-error the payload is that of the kind
  assert.ok(newEvent(grown, organizationId, { length: 1 }));
});

test('names of capabilities, reactions, queues and schedules are unique', () => {
  const { handlers, schedules, daily, reactions: all } = jobsOf(capabilities);
  const lists = [capabilities, all, schedules, daily].map((list) => list.map(({ name }) => name));
  for (const names of [...lists, handlers.map(({ queue }) => queue)]) assert.is(new Set(names).size, names.length);
});

test.run();
