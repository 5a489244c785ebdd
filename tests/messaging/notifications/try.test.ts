// timeout: 240s
// A new version of a kind is tried and validated by rule authors over HTTP, before it is used.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bundle } from '../../assessment/skill-status/evidence.ts';
import {
  addressOf,
  type Backoffice,
  beginChange,
  buildBackoffice,
  type Json,
  type JsonReply,
} from '../../backoffice/workbench/backoffice.ts';
import { putInForce } from '../../backoffice/workbench/next-version.ts';
import { useApp } from '../../harness/http.ts';

const test = suite('trying a kind of notification');
const app = useApp(test, { rules: true });
let office: Backoffice;
test.before(async () => {
  office = await buildBackoffice(app);
});

const setOf = (key: string) => `/api/admin/rule-sets/notification/${key}`;
const alertFacts = { studentId: 1, alertId: 'alert1', subSkillCode: 'DEC_WORD', stage: 'opened' };
const assignmentFacts = { studentId: 1, assignmentId: 'plan1' };

/** Begins a change of the kind; returns its address and the response. */
async function written(key: string, changes: Json): Promise<{ address: string; reply: JsonReply }> {
  const shipped = bundle.documents.find(({ meta }) => meta.key === key) as unknown as Json;
  const newest = (shipped.meta as { version: number }).version;
  const document = { ...shipped, ...changes, meta: { ...(shipped.meta as Json), version: newest + 1 } };
  const reply = await beginChange(office.author, `notification/${key}`, { document });
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  return { address: addressOf(reply), reply };
}

async function removed(address: string): Promise<void> {
  const { etag } = (await office.author.get(address)).body;
  assert.is((await office.author.request('DELETE', address, undefined, { 'if-match': String(etag) })).status, 204);
}

async function tried(key: string, changes: Json, facts: Json): Promise<JsonReply> {
  const { address } = await written(key, changes);
  const reply = await office.editor.post(`${address}/try`, { family: 'notification', key, facts });
  await removed(address);
  return reply.status === 200 ? { ...reply, body: reply.body.after as JsonReply['body'] } : reply;
}

const detail = ({ status, body }: JsonReply) => [status, body.code, body.details?.[0]?.field, body.details?.[0]?.issue];

test('a change is rendered with the names of codes, without any person’s name, and is safe', async () => {
  const alert = await tried(
    'skill-alert-assigned',
    { bodyTemplateAr: 'أُسند إليكم تنبيه عن {{firstNameAr}} في {{subSkillNameAr}}.' },
    alertFacts,
  );
  assert.is(alert.status, 200, JSON.stringify(alert.body));
  const { subSkills } = bundle.values<{ subSkills: { code: string; ar: string }[] }>('catalogue/subskills');
  const name = subSkills.find(({ code }) => code === 'DEC_WORD')?.ar;
  assert.equal(alert.body, {
    titleAr: 'تنبيه مهارة: الطالب (جديد)',
    bodyAr: `أُسند إليكم تنبيه عن الطالب في ${name}.`,
    safe: true,
    violations: [],
  });
  const plan = await tried('parent-tsp-activation', {}, assignmentFacts);
  assert.is(plan.body.bodyAr, 'بدأت المدرسة خطة دعم قصيرة مع طفلكم.');
  const due = await tried(
    'q5-24h-ack',
    { bodyTemplateAr: 'الموعد {{dueOnAr}}.' },
    { studentId: 1, reviewId: 'r1', dueAt: '2025-10-06T08:00:00.000Z', stage: 'opened' },
  );
  assert.is(due.body.bodyAr, 'الموعد ٦/١٠/٢٠٢٥.');
});

test('findings of the filter of its readers have a path, and the same text is safe for others', async () => {
  const words = 'بقيت ٣ خطوات.';
  const parents = await tried('parent-tsp-activation', { bodyTemplateAr: words }, assignmentFacts);
  assert.equal([parents.status, parents.body.safe, parents.body.bodyAr], [200, false, words]);
  const [violation] = parents.body.violations as Json[];
  const { field, start, end, action, reasonCode } = violation ?? {};
  assert.equal([field, start, end, action, reasonCode], ['bodyAr', 5, 6, 'block', 'number']);
  const staff = await tried('skill-alert-assigned', { bodyTemplateAr: words }, alertFacts);
  assert.equal([staff.body.safe, staff.body.violations], [true, []]);
});

test('facts are the payload: what is missing, foreign or of another form is named', async () => {
  const { studentId: _gone, ...incomplete } = alertFacts;
  for (const [facts, field, issue] of [
    [incomplete, 'facts.studentId', 'is missing'],
    [{ ...alertFacts, note: 'x' }, 'facts.note', 'is not a fact'],
    [{ ...alertFacts, alertId: 'free text' }, 'facts.alertId', undefined],
    [{ ...alertFacts, studentId: '1' }, 'facts.studentId', undefined],
  ] as const) {
    const [status, code, found, summary] = detail(await tried('skill-alert-assigned', {}, facts));
    assert.equal([status, code, found], [422, 'VALIDATION_ERROR', field]);
    if (issue !== undefined) assert.is(summary, issue);
  }
  const nameless = { bodyTemplateAr: 'في {{subSkillNameAr}}.' };
  const reply = await tried('skill-alert-assigned', nameless, { ...alertFacts, subSkillCode: 'NO_SUCH' });
  assert.equal(detail(reply), [422, 'VALIDATION_ERROR', 'facts', 'holds a code that has no name']);
});

test('the version in force can be tried too, and no notification is sent', async () => {
  const { status, body } = await office.author.post(`${setOf('skill-alert-assigned')}/versions/active/try`, {
    facts: alertFacts,
  });
  assert.equal([status, body.safe, body.titleAr], [200, true, 'تنبيه مهارة: الطالب (جديد)']);
  assert.equal(await app.database.owner('notification'), []);
  assert.equal(await app.database.owner('notification_request'), []);
});

/** What is wrong, where, and the finding. */
const bad: readonly (readonly [what: string, key: string, changes: Json, said: RegExp])[] = [
  [
    'an unknown variable',
    'skill-alert-assigned',
    { bodyTemplateAr: 'في {{gradeAr}}.' },
    /bodyTemplateAr holds an unknown/,
  ],
  [
    'a variable that is not closed',
    'skill-alert-assigned',
    { titleTemplateAr: 'عن {{firstNameAr' },
    /titleTemplateAr holds an/,
  ],
  ['half a bracket', 'skill-alert-assigned', { titleTemplateAr: 'عن {{firstNameAr}' }, /titleTemplateAr holds an/],
  [
    'a variable in one pair of braces',
    'skill-alert-assigned',
    { bodyTemplateAr: 'عن {firstNameAr}.' },
    /bodyTemplateAr holds an/,
  ],
  [
    'a variable in three pairs of braces',
    'skill-alert-assigned',
    { bodyTemplateAr: 'عن {{{firstNameAr}}}.' },
    /bodyTemplateAr holds an/,
  ],
  [
    'a variable that no one opened',
    'skill-alert-assigned',
    { titleTemplateAr: 'عن firstNameAr}}' },
    /titleTemplateAr holds an/,
  ],
  [
    'a variable that the payload does not fill',
    'skill-alert-assigned',
    { bodyTemplateAr: '{{dueOnAr}}' },
    /need not hold dueAt/,
  ],
  [
    'a reason for which there are no words',
    'plan-modification-suggestion',
    { words: undefined },
    /names reasonAr, for which words has nothing/,
  ],
  [
    'a code without a word',
    'plan-modification-suggestion',
    { words: { reasonAr: { low_fidelity: 'قُدِّم من حصص الخطة أقل من المقرر' } } },
    /words.reasonAr has no word for below_aim_line/,
  ],
  [
    'a word for a code that there is not',
    'cbm-alert-lifecycle',
    { words: { stageAr: { opened: 'فُتحت', closed: 'أُغلقت', lost: 'ضاعت' } } },
    /words.stageAr has a word for lost, which is no state/,
  ],
  [
    'words for a field that the payload has not',
    'dismissal-expiry',
    { words: { stageAr: { opened: 'جديد' } } },
    /words.stageAr: the payload holds no stage/,
  ],
  [
    'words for a variable that is filled otherwise',
    'skill-alert-assigned',
    { words: { subSkillNameAr: { DEC_WORD: 'قراءة' } } },
    /words.*subSkillNameAr/,
  ],
  [
    'a word with a variable in it',
    'cbm-alert-lifecycle',
    { words: { stageAr: { opened: 'فُتحت {{fullNameAr}}', closed: 'أُغلقت' } } },
    /words.stageAr.opened holds a brace/,
  ],
  ['a stage that no one gives', 'dismissal-expiry', { titleTemplateAr: '{{stageAr}}' }, /need not hold stage/],
  ['no body', 'skill-alert-assigned', { bodyTemplateAr: undefined }, /bodyTemplateAr/],
  ['an empty title', 'skill-alert-assigned', { titleTemplateAr: '' }, /titleTemplateAr/],
];

for (const [what, key, changes, summary] of bad) {
  test(`a change with ${what} is not valid, and stays a draft`, async () => {
    const { address } = await written(key, changes);
    const { status, body } = await office.author.post(`${address}/check`, {});
    assert.equal([status, body.valid], [200, false], JSON.stringify(body));
    const findings = body.findings as { level: string; message: string }[];
    assert.ok(
      findings.some(({ level, message }) => level === 'error' && summary.test(message)),
      JSON.stringify(findings),
    );
    assert.is((await office.author.get(address)).body.state, 'draft');
    await removed(address);
  });
}

/** Contract 60 §2: five variables are never in a template for parents. */
const ofStaff = {
  'dismissal-expiry': ['expiresOnAr', 'fullNameAr'],
  'q5-24h-ack': ['dueOnAr'],
  'plan-modification-suggestion': ['reasonAr'],
  'cbm-alert-lifecycle': ['stageAr'],
} as const;

for (const [key, names] of Object.entries(ofStaff))
  for (const name of names)
    test(`a template for families that names ${name} is not valid`, async () => {
      const { address } = await written(key, { defaultPersona: 'PARENT', bodyTemplateAr: `نقرأ معًا {{${name}}}.` });
      const { body } = await office.author.post(`${address}/check`, {});
      assert.is(body.valid, false);
      assert.match(
        JSON.stringify(body.findings),
        new RegExp(`names ${name}: notices for families name no days, full names`),
      );
      await removed(address);
    });

test('each reason and each state has a text of its own', async () => {
  const summary = [
    ['off_track_no_delivery', 'خطة الطالب: لم تُقدَّم حصص الخطة في الأسابيع الأخيرة.'],
    ['low_fidelity', 'خطة الطالب: قُدِّم من حصص الخطة أقل من المقرر.'],
    ['below_aim_line', 'خطة الطالب: نقاط القياس دون خط الهدف.'],
    ['step_goal_not_met', 'خطة الطالب: لم يتحقق بعد هدف إحدى خطوات الخطة.'],
  ] as const;
  for (const [suggestionCode, bodyAr] of summary) {
    const { body } = await tried('plan-modification-suggestion', {}, { ...assignmentFacts, suggestionCode });
    assert.equal([body.bodyAr, body.safe], [bodyAr, true]);
  }
  const signal = { studentId: 1, alertId: 'a1', alertKind: 'cbm_flat', measureCode: 'ORF_WCPM', trend: 'trend_mixed' };
  for (const [state, word] of [
    ['opened', 'فُتحت'],
    ['closed', 'أُغلقت'],
  ] as const) {
    const { body } = await tried('cbm-alert-lifecycle', {}, { ...signal, state });
    assert.ok(
      [body.titleAr, body.bodyAr].every((text) => String(text).startsWith(word)),
      JSON.stringify(body),
    );
  }
});

test('a document may have stages, each with its word, before they are used', async () => {
  const shipped = bundle.documents.find(({ meta }) => meta.key === 'dismissal-expiry') as unknown as {
    payloadSchema: { required: string[]; properties: object };
  };
  const { required, properties } = shipped.payloadSchema;
  const stages = { opened: 'جديد', reminder: 'تذكير', overdue: 'تجاوز موعده' };
  const changes = {
    words: { stageAr: stages },
    bodyTemplateAr: '{{stageAr}}: تنبيه بشأن {{fullNameAr}} حتى {{expiresOnAr}}.',
    payloadSchema: {
      ...shipped.payloadSchema,
      required: [...required, 'stage'],
      properties: { ...properties, stage: { type: 'string', enum: Object.keys(stages) } },
    },
  };
  const { body } = await tried('dismissal-expiry', changes, {
    ...{ studentId: 1, alertId: 'a1', expiresOn: '2026-01-26', stage: 'overdue' },
  });
  assert.match(String(body.bodyAr), /^تجاوز موعده: تنبيه بشأن الطالب حتى/);
});

test('trying a kind needs the language rules of its readers', async () => {
  const { 'language/family': _gone, ...versions } = bundle.versions;
  const { owner } = app.database;
  await putInForce(app);
  const at = app.clock.now();
  await owner('rule_bundle').insert({ id: 'no-family', versions: JSON.stringify(versions), createdAt: at });
  const activation = { activeFrom: at, reason: 'policy_change', kind: 'activate', createdAt: at };
  await owner('rule_activation').insert({ bundleId: 'no-family', ...activation });
  app.clock.advance(1_000);
  const refused = await tried('parent-tsp-activation', {}, assignmentFacts);
  assert.equal([refused.status, refused.body.code], [503, 'ENGINE_UNAVAILABLE']);
  assert.is((await tried('skill-alert-assigned', {}, alertFacts)).status, 200);
});

test.run();
