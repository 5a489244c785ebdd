// timeout: 180s
// An explanation in words: a sentence for each node in both languages without codes, each answer with what was asked,
// chosen and right, and a record of who opened the child.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { recomputeStudents } from '#assessment/skill-status/index.ts';
import { inContext } from '#core/platform/db.ts';
import { sentencesOf } from '#rules/catalogue/index.ts';
import { overlaid, type ValueDocument } from '#rules/rulesets/index.ts';
import type { ServedBody } from '../../../assessment/measurement/diagnostics/child.ts';
import { itemOf, practisingChild, wrong } from '../../../assessment/measurement/practice/practising.ts';
import { bundle } from '../../../assessment/skill-status/evidence.ts';
import { signIn } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildWorld, type Tenant, type World } from '../../../harness/world.ts';
import { below, type Explained, type Node } from './explained.ts';

const test = suite('explain in words');
const app = useApp(test);
const { owner } = app.database;
let world: World;
test.before(async () => {
  world = await buildWorld(app);
});

interface Sentence {
  readonly key: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly ar: string;
  readonly en: string;
}
type Worded = Omit<Explained, 'from'> & { readonly sentence: Sentence; readonly from: readonly WordedNode[] };
type WordedNode = Node & {
  readonly sentence: Sentence;
  readonly item?: { readonly prompt: string; readonly chosen: string | null; readonly right: string } | null;
};

async function explain(stampId: string): Promise<Worded> {
  const { status, body } = await app.get<Worded>(`/api/admin/explain/${stampId}`, {
    token: await signIn(app, world.superAdmin),
  });
  assert.is(status, 200, `${stampId}: ${JSON.stringify(body)}`);
  return body;
}

interface Run {
  readonly id: string;
}

/** A child with a finished diagnostic, whose answers the test has seen, and a run of it. */
async function measuredChild(tenant: Tenant) {
  const kid = await practisingChild(app, tenant);
  const { sessionId } = (await kid.diagnostic.start()).body;
  const chosen = new Map<string, { readonly served: ServedBody; readonly index: number }>();
  const choosing = (served: ServedBody): number => {
    const index = chosen.size % 3 === 0 ? wrong(served) : itemOf(served).correctIndex;
    chosen.set(`${sessionId}/${itemOf(served).id}`, { served, index });
    return index;
  };
  await kid.diagnostic.answerMany(sessionId, 12, choosing);
  await kid.diagnostic.finish(sessionId);
  await recomputeStudents(app.services, tenant.organizationId, [kid.user.id], 'diagnostic_finished');
  const run: Run = await inContext(owner, 'SUPER', (trx) => trx('sse_run').where({ studentId: kid.user.id }).first());
  return { kid, run, chosen };
}

/** The catalogue itself calls the measure by its acronym. */
const withoutAcronym = (text: string): string => text.replace(' (ORF)', '');
/** Codes, ids and names of fields. */
const code = /[A-Za-z]+_[A-Za-z]+|[a-z][A-Z]|\b[A-Z]{2,}\b|[{}]|undefined|null/;

test('every node of a run has a sentence in both languages, and no text holds a code', async () => {
  const { run } = await measuredChild(world.own);
  const explained = await explain(`run:${run.id}`);
  const nodes = below(explained.from) as readonly WordedNode[];
  const kinds = new Set(nodes.map(({ kind }) => kind));
  assert.equal([...kinds].sort(), ['domain', 'response', 'skill', 'tile']);
  for (const { sentence, kind } of [explained, ...nodes]) {
    assert.ok(sentence, kind);
    assert.match(sentence.ar, /^[\u0600-\u06ff0-9 «»،؛:.٪]+$/, sentence.ar);
    assert.match(sentence.en, /^[A-Z0-9][^\u0600-\u06ff]+\.$/, sentence.en);
    assert.not.match(withoutAcronym(sentence.en), code, sentence.en);
    assert.not.match(sentence.ar, code);
    assert.not.match(sentence.en, /without a name/);
  }
  assert.match(explained.sentence.en, /^Overall picture up to \d+ \w+ \d{4}: /);
});

test('each answer says what was asked, what was chosen and what is right', async () => {
  const { run, chosen } = await measuredChild(world.own);
  const nodes = below((await explain(`run:${run.id}`)).from) as readonly WordedNode[];
  const answers = nodes.filter(({ kind }) => kind === 'response');
  assert.is(answers.length, 12);
  for (const { responseRef = '', item, stored } of answers) {
    const given = chosen.get(responseRef);
    if (!given || !item) throw new Error(`${responseRef} has no item`);
    const { options, correctIndex, prompt } = itemOf(given.served);
    assert.is(item.chosen, options[given.index]?.text);
    assert.is(item.right, options[correctIndex]?.text);
    assert.is(item.chosen === item.right, stored?.correct);
    assert.ok(item.prompt.startsWith(prompt.text));
    if (prompt.speech !== prompt.text) assert.is(item.prompt, `${prompt.text} «${prompt.speech}»`);
  }
});

test('an answer in practice says the same, from the bank of its queue', async () => {
  const { kid, chosen } = await measuredChild(world.own);
  const [first = ''] = chosen.keys();
  const { queueId } = (await kid.seed(first.split('/')[0] ?? '')).body;
  const given = new Map<string, { readonly served: ServedBody; readonly index: number }>();
  const choosing = (served: ServedBody): number => {
    const index = given.size === 0 ? itemOf(served).correctIndex : wrong(served);
    given.set(`${queueId}/${itemOf(served).id}`, { served, index });
    return index;
  };
  for (let step = 0; step < 3; step += 1) await kid.step(choosing);
  await recomputeStudents(app.services, world.own.organizationId, [kid.user.id], 'diagnostic_finished');
  const runs: Run[] = await inContext(owner, 'SUPER', (trx) =>
    trx('sse_run').where({ studentId: kid.user.id }).orderBy('seq', 'desc'),
  );
  const nodes = below((await explain(`run:${runs[0]?.id}`)).from) as readonly WordedNode[];
  const answers = nodes.filter(({ responseRef = '' }) => responseRef.startsWith(queueId));
  assert.is(answers.length, 3);
  for (const { responseRef = '', item, sentence } of answers) {
    const answer = given.get(responseRef);
    if (!answer) throw new Error(`${responseRef} was not given`);
    const { options, correctIndex } = itemOf(answer.served);
    assert.equal([item?.chosen, item?.right], [options[answer.index]?.text, options[correctIndex]?.text]);
    assert.match(sentence.en, /, practice: /);
  }
});

interface Entry {
  readonly entity: string;
  readonly entityId: string;
  readonly action: string;
  readonly operation: string;
  readonly actorUserId: number;
  readonly organizationId: string;
}

const readsOf = ({ id }: { readonly id: number }): Promise<Entry[]> =>
  inContext(owner, 'SUPER', (trx) => trx('audit_entry').where({ entityId: String(id), action: 'read' }));

test('opening a child is an audit entry of the reader, once an hour; not of a demo', async () => {
  const { kid, run } = await measuredChild(world.own);
  assert.equal(await readsOf(kid.user), []);
  await explain(`run:${run.id}`);
  await explain(`tile:${run.id}.GLOBAL`);
  const entries = await readsOf(kid.user);
  assert.equal(
    entries.map(({ entity, action, operation, actorUserId, organizationId }) => {
      return { entity, action, operation, actorUserId, organizationId };
    }),
    [
      {
        ...{ entity: 'student_explanation', action: 'read', operation: 'explainResult' },
        ...{ actorUserId: world.superAdmin.id, organizationId: world.own.organizationId },
      },
    ],
  );
  const demo = await measuredChild(world.demo);
  await explain(`run:${demo.run.id}`);
  assert.equal(await readsOf(demo.kid.user), []);
});

const read = (name: string) =>
  bundle.documents.find(({ meta }) => `${meta.family}/${meta.key}` === name) as ValueDocument;

test('a sentence that the language filter stops is not shown, and its values stay', () => {
  const terms = structuredClone(read('catalogue/terms')) as unknown as { terms: { values: Record<string, object> } };
  terms.terms.values.monitor = { ar: 'طالب ضعيف', en: 'watched', about: 'child' };
  const { say, term } = sentencesOf(overlaid(bundle, [terms as unknown as ValueDocument]));
  const text = { ar: 'النتيجة: {{status}}.', en: 'Result: {{status}}.' };
  const stopped = say('some.result', [text], { status: term('values', 'monitor') });
  assert.not.match(stopped.ar, /ضعيف/);
  assert.is(stopped.en, 'This sentence is not shown, because the rules of language safety do not admit it.');
  assert.equal(stopped.args, { status: 'monitor' });
  const passed = say('some.result', [text], { status: term('values', 'adequate') });
  assert.equal(passed, {
    key: 'some.result',
    args: { status: 'adequate' },
    ar: 'النتيجة: ملائم.',
    en: 'Result: adequate.',
  });
});

test('a value without a term is called so, and never by its code', () => {
  const { say, term } = sentencesOf(bundle);
  const { ar, en } = say('some.result', [{ ar: '{{status}}', en: '{{status}}' }], {
    status: term('values', 'new_word'),
  });
  assert.equal([ar, en], ['قيمة بلا اسم بعد', 'A value without a name yet']);
});

test.run();
