// timeout: 300s
// Recipes for values that were fixed in other folders before: a small capability declares its own, and each is tested
// from its event to its effect.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { requireOnce } from '#app/app.ts';
import { capabilities } from '#app/capabilities.ts';
import type { StudentSession } from '#assessment/measurement/index.ts';
import { explainStamp } from '#backoffice/workbench/explain/explainers.ts';
import { checkTexts } from '#backoffice/workbench/validation/engine/check.ts';
import { whileEditing } from '#backoffice/workbench/validation/engine/reference-check.ts';
import { ruleUse } from '#backoffice/workbench/validation/rule-use.ts';
import type { Capability } from '#core/module/capability.ts';
import { jobsOf } from '#core/module/capability.ts';
import { appendEvents, type NewEvent, newEvent } from '#core/module/events.ts';
import { inContext, readTransactionIn } from '#core/platform/db.ts';
import type { Job } from '#core/platform/queue/queue.ts';
import { requestReport } from '#messaging/documents/index.ts';
import { runRuntimeChecks } from '#messaging/qa/runtime-checks.ts';
import { documentName, type RuleDocument } from '#rules/rulesets/index.ts';
import { relayAll } from '../../../workers/relay.ts';
import { bundle, testBanks } from '../../assessment/skill-status/evidence.ts';
import { layerOf, startFor, storedChange, workOn } from '../../backoffice/workbench/impact/world.ts';
import { putInForce } from '../../backoffice/workbench/next-version.ts';
import {
  buildClass,
  buildStudent,
  buildSuperAdmin,
  buildTeacher,
  type ClassRow,
  signIn,
  type UserRow,
} from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { capturedLog, noQueues } from '../../workers/support.ts';
import { checks, sizes, smallDocuments, tableFrom } from './documents.ts';
import { completed, grown, smallCapability, smallReport } from './small.ts';

const recipients: number[] = [];
const sessions = new Map<number, StudentSession[]>();
const small = smallCapability(recipients, sessions);
const all: readonly Capability[] = [...capabilities, small];
const app = useApp(test, { capabilities: all, rules: true });
const { clock } = app;
const services = { ...app.services, itemBanks: testBanks() };
const { owner } = app.database;
const { reactions, handlers } = jobsOf(all);
let classRow: ClassRow;
let teacher: UserRow;

test.before(async () => {
  classRow = await buildClass(owner, { grade: 2 });
  teacher = await buildTeacher(owner, classRow);
  recipients.push(teacher.id);
  await putInForce(app, ...smallDocuments, checks);
});

type Response = StudentSession['responses'][number];
type Row = Readonly<Record<string, unknown>>;
interface Rows {
  readonly items: readonly Row[];
}

/** Runs what workers do with an event: reactions, then their jobs. */
async function happens(event: NewEvent): Promise<void> {
  await inContext(owner, 'SUPER', (trx) => appendEvents(trx, clock.now(), [event]));
  const jobs: Job[] = [];
  const queues = { ...noQueues, add: async (added: readonly Job[]) => void jobs.push(...added) };
  const { log, lines } = capturedLog();
  await relayAll(services, queues, reactions, log);
  for (const { queue, data } of jobs)
    await handlers.find((one) => one.queue === queue)?.handle(services, data, new AbortController().signal);
  assert.equal(
    lines.filter(({ err }) => err !== undefined),
    [],
  );
}

test('a notification kind: sent to its recipients, and a filter of the inbox', async () => {
  await happens(newEvent(grown, classRow.organizationId, { size: 7 }));
  const token = await signIn(app, teacher);
  const { status, body } = await app.get<Rows>('/api/notifications?kind=small_grown', { token });
  assert.is(status, 200, JSON.stringify(body));
  assert.equal(
    body.items.map(({ renderedTitleAr, payload }) => [renderedTitleAr, payload]),
    [['كبر الصغير', { size: 7 }]],
  );
  assert.is((await app.get('/api/notifications?kind=small_shrunk', { token })).status, 422);
});

test('a source of evidence: used in the run after its event', async () => {
  const { organizationId } = classRow;
  const student = await buildStudent(owner, classRow);
  const session = {
    sessionId: 'small1',
    source: 'practice',
    endedAt: clock.now().toISOString(),
    analysable: true,
  } as const;
  const response: Omit<Response, 'itemId'> = {
    ...{ sessionId: 'small1', subSkillCode: 'DEC_WORD', analysable: true, answered: true, attempt: 'first' },
    ...{
      correct: true,
      support: 'none',
      speed: 'normal',
      errorClass: 'none',
      microPattern: null,
      behaviourMark: false,
    },
  };
  const responses = Array.from({ length: 8 }, (_, at) => ({ ...response, itemId: `DEC_WORD-00${at + 1}` }));
  sessions.set(student.id, [{ session, responses, provisionalSubSkills: [] }]);
  await happens(newEvent(completed, organizationId, { studentId: student.id, sessionId: 'small1' }));
  const runs = await owner('sse_run').where({ studentId: student.id }).select('trigger', 'triggerRef');
  assert.equal(runs, [{ trigger: 'practice_completed', triggerRef: 'small1' }]);
  const token = await signIn(app, teacher);
  const { status, body } = await app.get<Rows>(`/api/sse/students/${student.id}/skill-status`, { token });
  assert.is(status, 200, JSON.stringify(body));
  const word = body.items.find(({ subSkillCode }) => subSkillCode === 'DEC_WORD');
  const { distinctItems, sessionCount } = (word?.evidence ?? {}) as Row;
  assert.equal([word?.status, distinctItems, sessionCount], ['adequate', 8, 1]);
  const explained = await explainStamp(readTransactionIn(owner, 'SUPER'), services, `skill:${word?.snapshotId}`);
  assert.match(JSON.stringify(explained), 'small1');
});

test('a check: run each minute, with its finding in the log of alerts', async () => {
  await runRuntimeChecks(services, noQueues);
  const found = () => owner('platform_alert').where({ code: 'SMALL_IS_GIANT' }).select('severity', 'subjectType');
  assert.equal(await found(), []);
  await happens(newEvent(grown, classRow.organizationId, { size: 1_001 }));
  await runRuntimeChecks(services, noQueues);
  assert.equal(await found(), [{ severity: 'high', subjectType: 'small' }]);
});

test('a document kind: requested, rendered on its own queue, read by the requester', async () => {
  const { organizationId } = classRow;
  const about = { subject: 'one', input: {}, contentKey: 'one', requestedBy: teacher.id, now: clock.now() };
  const job = await inContext(owner, { organizationId }, (trx) =>
    requestReport(trx, { organizationId, kind: smallReport, ...about }),
  );
  await happens(newEvent(grown, organizationId, { size: 1 }));
  const token = await signIn(app, teacher);
  const read = await app.get<Row>(`/api/report-jobs/${job.id}`, { token });
  assert.equal([read.body.kind, read.body.target, read.body.state], ['small_report', { small: 'one' }, 'done']);
  assert.is((await app.get<string>(`/api/report-jobs/${job.id}/file`, { token })).body, 'small one');
  assert.ok(handlers.some(({ queue }) => queue === 'small-report'));
});

const findingsOf = async (document: object) => {
  const text = { name: documentName(document as RuleDocument), text: JSON.stringify(document), cases: [], base: null };
  const question = { texts: [text], active: bundle.documents, stored: {}, effort: whileEditing };
  const checks = await checkTexts(question, ruleUse(all));
  return checks.flatMap(({ findings }) => findings).map(({ level, message }) => `${level} ${message}`);
};

test('a family of rules: its drafts are validated, its tables explained, with the nearest change in its own facts', async () => {
  assert.equal(await findingsOf(sizes(3, 5)), [
    'warning SML-MAX-01 has no term among the constants',
    'warning small has no term among the families',
  ]);
  assert.equal(await findingsOf(sizes(5, 5)), ['error /size must be <= 4']);
  assert.equal(await findingsOf(sizes(3, 6)), ['error /constants/SML-MAX-01/value must lie between 1 and 5']);
  const explained = (await explainStamp(readTransactionIn(owner, 'SUPER'), services, 'small:1')) as Record<
    string,
    never
  >;
  const { decision, nearestChange } = explained as unknown as Record<string, Record<string, unknown>>;
  assert.equal([decision?.outcome, decision?.ruleId], ['small', 'SML-02']);
  assert.equal([nearestChange?.outcome, nearestChange?.changes], ['large', [{ fact: 'size', from: 1, to: 3 }]]);
});

test('a simulated family: a report has its layer, hits, exemplars and section', async () => {
  const { organizationId } = classRow;
  const change = await storedChange({ app, services }, [tableFrom(1, 2) as unknown as RuleDocument]);
  const order = { change, scope: { organizationId }, requestedBy: change.authorUserId };
  const jobId = await startFor(services, order, clock.now());
  await workOn({ app, services }, jobId);
  const token = await signIn(app, await buildSuperAdmin(owner));
  const { status, body } = await app.get<Row>(`/api/admin/impact/${jobId}`, { token });
  assert.is(status, 200, JSON.stringify(body));
  const { layers, ruleHits, small: section, support } = body.report as Record<string, Row[]>;
  const layer = layerOf({ layers }, 'SMALL');
  const [transition, ...more] = layer.transitions;
  const { from, to, count, direction, exemplars } = transition;
  assert.equal([from, to, count, direction, more], ['small', 'large', 1, 'better', []]);
  const sides = exemplars.map(({ before, after }: Row) => [before, after].map((side) => (side as Row).ruleId));
  assert.equal(sides, [['SML-02', 'SML-01']]);
  assert.equal(
    ruleHits?.filter(({ document }) => document === 'small/table').map((hit) => [hit.ruleId, hit.before, hit.after]),
    [
      ['SML-01', 0, 1],
      ['SML-02', 1, 0],
    ],
  );
  assert.equal([section, support], [{ large: 1 }, null]);
});

test('two capabilities cannot declare the same name', () => {
  const {
    events = [],
    notificationKinds = [],
    reportKinds = [],
    probes = [],
    simulators = [],
    documentSchemas = {},
  } = small;
  const names = [
    [{ events }, 'small.grown'],
    [{ notificationKinds }, 'small_grown'],
    [{ reportKinds }, 'small_report'],
    [{ probes }, 'SMALL_IS_GIANT'],
    [{ simulators }, 'SMALL'],
    [{ documentSchemas }, 'small/sizes'],
  ] as const;
  requireOnce(all);
  for (const [part, name] of names)
    assert.throws(() => requireOnce([...all, { name: 'other', ...part }]), new RegExp(`two of the name ${name} among`));
});

test.run();
