// timeout: 300s
// What must not become a rule: each mistake is refused by its name, with the rules and the facts that show it, and
// nothing of it is kept.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildSuperAdmin, signIn } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { shippedVersion } from '../../../harness/rules.ts';
import {
  addressOf,
  type Backoffice,
  beginChange,
  buildBackoffice,
  changedConstants,
  installVersion,
  type Json,
  type JsonReply,
  nextVersion,
  takeChange,
} from '../backoffice.ts';
import { type BadDocument, badDocuments, type Finding, type Golden } from './bad-documents.ts';

const app = useApp(test, { rules: true });
let office: Backoffice;

test.before(async () => {
  office = await buildBackoffice(app);
});

const setOf = (name: string) => `/api/admin/rule-sets/${name}`;
const shippedTrend = shippedVersion('cbm/trend');
const trend = setOf('cbm/trend');
const publish = '/api/sse/admin/rule-versions';

interface Active extends Json {
  readonly version: number;
  readonly document: Json;
  readonly cases: readonly Golden[];
}

const activeOf = async (name: string): Promise<Active> =>
  (await office.author.get(`${setOf(name)}/versions/active`)).body as unknown as Active;

async function counts(): Promise<Record<string, number>> {
  const tables = [
    'rule_change',
    'rule_change_document',
    'rule_change_approval',
    'rule_version',
    'rule_activation',
    'rule_bundle',
    'rule_schedule',
  ];
  const lengths = tables.map(async (table) => [table, (await app.database.owner(table)).length] as const);
  return Object.fromEntries(await Promise.all(lengths));
}

/** The envelope with this issue, and not a row more or less. */
async function refused(ask: () => Promise<JsonReply>, status: number, issue: string, field?: string): Promise<void> {
  const before = await counts();
  const { status: actual, body } = await ask();
  assert.is(actual, status, JSON.stringify(body));
  const reported = body.details?.find((detail) => detail.issue === issue);
  assert.ok(reported, JSON.stringify(body));
  if (field !== undefined) assert.is(reported.field, field);
  assert.equal(await counts(), before);
}

async function asked({ name, change, cases }: BadDocument) {
  const { version: baseVersion, document, cases: golden } = await activeOf(name);
  return { baseVersion, document: change(document), cases: cases ? cases(golden) : [] };
}

function findingOf(findings: readonly Finding[], { code, rules, answer }: BadDocument): Finding {
  const found = findings.find(
    (one) =>
      one.level === 'error' &&
      one.code === code &&
      (rules === undefined || rules.every((rule, at) => one.ruleIds[at] === rule)) &&
      (answer === undefined || answer.test(one.message)),
  );
  if (!found) throw new Error(`no such finding: ${JSON.stringify(findings)}`);
  return found;
}

for (const bad of badDocuments) {
  test(`a change with ${bad.what}: ${bad.code}, and it stays a draft`, async () => {
    const made = await beginChange(office.author, bad.name, await asked(bad));
    assert.is(made.status, 201, JSON.stringify(made.body));
    const address = addressOf(made);
    const { status, body } = await office.author.post(`${address}/check`, {});
    assert.is(status, 200, JSON.stringify(body));
    assert.is(body.valid, false);
    findingOf(body.findings as Finding[], bad);
    const read = await office.editor.get(address);
    assert.is(read.body.state, 'draft');
    assert.equal(read.body.findings, body.findings);
    await refused(() => office.author.post(`${address}/submit`, {}), 409, 'state');
    const seen = { 'if-match': String(read.body.etag) };
    assert.is((await office.author.request('DELETE', address, undefined, seen)).status, 204);
  });
}

/** Families that the engine's own address takes. */
const isEngines = ({ name }: BadDocument): boolean => !/^(scoring|benchmark)\//.test(name);

for (const bad of badDocuments.filter(isEngines)) {
  test(`published in one call with ${bad.what}: 422 ${bad.code}, and nothing is kept`, async () => {
    const [family, key] = bad.name.split('/');
    const body = { family, key, ...(await asked(bad)) };
    await refused(() => office.author.post(publish, body), 422, bad.code, bad.rules?.[0]);
  });
}

/** The findings of a change with this mistake, and its answers. */
async function evaluated(what: string) {
  const bad = badDocuments.find((one) => one.what === what);
  if (!bad) throw new Error(`no document with ${what}`);
  const made = await beginChange(office.author, bad.name, await asked(bad));
  const address = addressOf(made);
  const { body } = await office.author.post(`${address}/check`, {});
  const [family, key] = bad.name.split('/');
  const tried = (facts: object) => office.author.post(`${address}/try`, { family, key, facts });
  return { tried, body, finding: findingOf(body.findings as Finding[], bad) };
}

test('a gap is shown as boxes: no one answers their samples, which the rule that is gone did answer', async () => {
  const { tried, finding } = await evaluated('a gap');
  const { boxes = [], proposedRow } = finding;
  assert.ok(boxes.length > 0);
  assert.ok(boxes.every(({ share }) => share > 0 && share < 1));
  for (const { sample: facts } of boxes) {
    const before = await office.author.post(`${setOf('ssr/ssr')}/versions/active/try`, { facts });
    assert.is(before.body.ruleId, 'SSR-12', JSON.stringify(facts));
    await refused(() => tried(facts), 409, 'gap');
  }
  assert.ok(proposedRow && Array.isArray((proposedRow.conditions as Json).all));
  assert.equal((proposedRow.event as Json).params, {}, 'no neighbour’s outcome is taken');
});

test('cases that fail are reported by their names, with their facts and what is stated now', async () => {
  const { body } = await evaluated('a case of the version before that fails');
  const { cases } = await activeOf('ssr/ssr');
  const failing = cases.filter(({ expected }) => (expected as Json).ruleId === 'SSR-10');
  const failed = (body.findings as Finding[]).filter(({ code }) => code === 'CASE_FAILED');
  assert.ok(failing.length > 0);
  assert.is(failed.length, 1, 'one cause is one finding');
  const [{ message = '', proposedCases = [] } = {}] = failed;
  assert.equal(
    proposedCases,
    failing.map((golden) => ({ ...golden, expected: { ruleId: 'SSR-10', outcome: 'weak_isolated' } })),
  );
  assert.match(message, / expected SSR-10 \(weak_domain_related\), the table says SSR-10 \(weak_isolated\): /);
  for (const { name } of failing.slice(0, 10)) assert.match(message, `"${name}"`);
});

test('cases that notice too little: the score, and for each mistake a case that would notice it', async () => {
  const { body, finding } = await evaluated('cases that notice too little');
  assert.ok(Number((body.mutationScores as Json)['ssr/ssr']) < 0.95);
  assert.ok(finding.ruleIds.length > 0);
  const { proposedCases = [] } = finding;
  assert.ok(proposedCases.length > 0);
  for (const { facts, expected } of proposedCases.slice(0, 10)) {
    const summary = await office.author.post(`${setOf('ssr/ssr')}/versions/active/try`, { facts });
    const { ruleId, outcome } = summary.body;
    assert.equal({ ruleId, outcome }, expected);
  }
});

test('a key that is given twice is refused before any person reads the document', async () => {
  const { document } = await activeOf('cbm/trend');
  const documents = [{ family: 'cbm', key: 'trend', document }];
  const twice = JSON.stringify({ title: 'Twice', documents }).replace('"monitoringPoints":{', '"aimLine":{},$&');
  const token = await signIn(app, await buildSuperAdmin(app.database.owner));
  await refused(
    async () => (await app.post('/api/admin/rule-changes', undefined, { token, bytes: twice })) as unknown as JsonReply,
    422,
    'is given twice',
    'aimLine',
  );
});

test('a number that is not finite is refused, in a change, in one call and in a file', async () => {
  const token = await signIn(app, await buildSuperAdmin(app.database.owner));
  const issue = 'holds a number that is not finite';
  const send = (path: string, body: Json) => async () => {
    const bytes = JSON.stringify(body).replace('"ENDLESS"', '1e400');
    return (await app.post(path, undefined, { token, bytes })) as unknown as JsonReply;
  };
  const { document } = await activeOf('ssr/ssr');
  const endless = { ...document, padding: 'ENDLESS' };
  const input = { baseVersion: 1, document: endless };
  const change = { title: 'Endless', documents: [{ family: 'ssr', key: 'ssr', ...input }] };
  await refused(send('/api/admin/rule-changes', change), 422, issue, 'documents.0.document');
  await refused(send(publish, { family: 'ssr', key: 'ssr', ...input, cases: [] }), 422, issue, 'document');
  const { body: file } = await office.author.get('/api/admin/rule-sets/export');
  const documents = (file.documents as Json[]).slice(0, 1).map((one) => ({ ...one, document: endless }));
  await refused(send('/api/admin/rule-sets/import', { ...file, documents }), 422, issue, 'documents.0.document');
});

test('a moment that no clock shows, or no calendar of ours, is not taken for now', async () => {
  await installVersion(app.database.owner, await nextVersion(app.database.owner, 'rbm/rbm', { 'RBM-STREAK': 5 }));
  for (const from of ['2026-12-31T23:59:60Z', '9999-12-31T23:59:59-23:59', '0001-01-01T00:00:00Z']) {
    const before = await counts();
    for (const body of [{ versions: { 'rbm/rbm': 2 }, from, reason: 'policy_change' }]) {
      const { status, body: answer } = await office.author.post('/api/admin/rule-bundles', body);
      assert.is(status, 422, `${from}: ${JSON.stringify(answer)}`);
      assert.is(answer.details?.[0]?.field, 'from');
    }
    assert.equal(await counts(), before);
  }
});

test('a text that is too large is refused, in a change, in a body and as a file', async () => {
  const { document } = await activeOf('cbm/trend');
  const padded = { ...document, padding: 'x'.repeat(256 * 1024) };
  await refused(
    () => beginChange(office.author, 'cbm/trend', { document: padded }),
    422,
    'is larger, with its cases, than 256 KiB',
    'documents.0.document',
  );
  const huge = { ...document, padding: 'x'.repeat(1024 * 1024) };
  const large = () => beginChange(office.author, 'cbm/trend', { document: huge });
  await refused(large, 422, 'is larger than 1048576 bytes');
  const file = { ...(await office.author.get('/api/admin/rule-sets/export')).body };
  const heavy = { ...file, padding: 'x'.repeat(5 * 1024 * 1024) };
  await refused(() => office.author.post('/api/admin/rule-sets/import', heavy), 422, 'is larger than 5242880 bytes');
});

test('an address that is no family, key or version is not there', async () => {
  for (const path of ['CBM/trend', 'cbm/Trend', 'cbm/..%2ftrend', 'cbm/%00', 'nothing/trend', 'cbm/nothing']) {
    await office.author.get(`${setOf(path)}/versions`).then(({ status }) => assert.is(status, 404, path));
    const made = await beginChange(office.author, path);
    assert.is(made.status, 422, path);
  }
  for (const path of ['0', '01', '1.5', 'newest', '9999999999']) {
    assert.is((await office.author.get(`${trend}/versions/${path}`)).status, 404, path);
  }
  assert.is((await office.author.get('/api/admin/rule-changes/1')).status, 404);
});

test('a document of another set, another version or no set at all is no text of a change', async () => {
  const { document } = await activeOf('cbm/trend');
  const meta = document.meta as Json;
  const create = (changed: Json) => () =>
    beginChange(office.author, 'cbm/trend', { baseVersion: shippedTrend, document: { ...document, ...changed } });
  await refused(create({ meta: { ...meta, family: 'ssr' } }), 422, 'must be cbm', 'documents.0.document.meta.family');
  await refused(create({ meta: { ...meta, key: 'other' } }), 422, 'must be trend', 'documents.0.document.meta.key');
  await refused(
    create({ meta: { ...meta, version: 7 } }),
    422,
    `must be ${shippedTrend + 1}: the base is version ${shippedTrend}`,
  );
  await refused(create({ meta: null }), 422, 'must be an object', 'documents.0.document.meta');
});

test('cases that are none, or share a name, are refused', async () => {
  const [golden] = (await activeOf('cbm/trend')).cases;
  const create = (cases: unknown) => () => beginChange(office.author, 'cbm/trend', { cases });
  const issue = 'must be a list of golden cases: name, facts, expected';
  await refused(create([{ ...golden, surprise: 1 }]), 422, issue, 'documents.0.cases');
  await refused(create([{ name: 'without facts', expected: [] }]), 422, issue, 'documents.0.cases');
  await refused(create([golden, golden]), 422, 'is used twice', 'documents.0.cases.1.name');
});

test('a base that is not the one of now: no change of it, and none in one call', async () => {
  const other = () => beginChange(office.author, 'cbm/trend', { baseVersion: 9 });
  await refused(other, 409, 'base_moved', 'documents.0.baseVersion');
  const { document } = await activeOf('ssr/ssr');
  const input = { family: 'ssr', key: 'ssr', baseVersion: 9, document, cases: [] };
  await refused(() => office.author.post(publish, input), 409, 'base_moved', 'baseVersion');
});

test('in one call: nothing changed, a family of another person, a key that is none', async () => {
  const { document } = await activeOf('ssr/ssr');
  const input = { family: 'ssr', key: 'ssr', baseVersion: 1, document, cases: [] };
  await refused(() => office.author.post(publish, input), 409, 'no_change', 'document');
  for (const name of ['cbm/trend', 'scoring/measurement', 'benchmark/orf-wcpm-global-g2-boy']) {
    const [family, key] = name.split('/');
    const foreign = { ...input, family, key, document: (await activeOf(name)).document };
    await refused(() => office.author.post(publish, foreign), 422, 'is not one of the skill-status engine', 'family');
  }
  await refused(
    () => office.author.post(publish, { ...input, key: 'other' }),
    422,
    'is not a key of this family',
    'key',
  );
});

/** The trend rules with another threshold, as far as asked. */
async function trendChange(value: number, upTo: 'validate' | 'submit') {
  const { document } = await activeOf('cbm/trend');
  return takeChange(office, { 'cbm/trend': changedConstants(document, { 'CBM-MIN-01': value }) }, { upTo });
}

test('a change that is not in review is not judged, and a wrong hash approves nothing', async () => {
  const open = await trendChange(5, 'validate');
  await refused(() => office.approver.post(`${open.address}/approve`, { sha256: open.sha256 }), 409, 'state');
  await refused(() => office.approver.post(`${open.address}/decline`, { reason: 'wording' }), 409, 'state');
  await office.author.post(`${open.address}/submit`, {});
  const other = '0'.repeat(64);
  await refused(
    () => office.approver.post(`${open.address}/approve`, { sha256: other }),
    409,
    'hash_mismatch',
    'sha256',
  );
  await refused(() => office.author.post(`${open.address}/check`, {}), 409, 'state');
  await refused(() => office.author.post(`${open.address}/submit`, {}), 409, 'state');
  const seen = { 'if-match': `"${open.sha256}"` };
  await refused(() => office.author.request('DELETE', open.address, undefined, seen), 409, 'state');
  assert.is((await office.author.get(open.address)).body.state, 'in_review');
  assert.is((await office.author.post(`${open.address}/withdraw`, {})).body.state, 'withdrawn');
  await refused(() => office.approver.post(`${open.address}/decline`, { reason: 'wording' }), 409, 'state');
  await refused(() => office.author.post(`${open.address}/withdraw`, {}), 409, 'state');
});

test('neither author nor editor approves or declines', async () => {
  const { address, sha256 } = await trendChange(6, 'submit');
  const before = await counts();
  for (const own of [office.author, office.editor]) {
    for (const [verb, body] of [
      ['approve', { sha256 }],
      ['decline', { reason: 'wording' }],
    ] as const) {
      const { status, body: answer } = await own.post(`${address}/${verb}`, body);
      assert.is(status, 403);
      assert.is(answer.code, 'PERMISSION_DENIED');
    }
  }
  assert.equal(await counts(), before);
  assert.is((await office.author.get(address)).body.state, 'in_review');
});

test('a reason outside the dictionary, and a quorum that no one can reach, are refused', async () => {
  const { address } = await trendChange(7, 'validate');
  for (const [path, body] of [
    ['submit', { quorum: 0 }],
    ['submit', { quorum: 6 }],
    ['decline', { reason: 'because' }],
    ['approve', { sha256: 'abc' }],
  ] as const) {
    const { status, body: answer } = await office.approver.post(`${address}/${path}`, body);
    assert.is(status, 422, JSON.stringify(answer));
    assert.is(answer.code, 'VALIDATION_ERROR');
  }
  assert.is((await office.author.get(address)).body.state, 'validated');
});

test('a file with a hash that is not its text’s is not taken in', async () => {
  const { body: file } = await office.author.get('/api/admin/rule-sets/export');
  const documents = (file.documents as Json[]).slice(0, 1).map((one) => ({ ...one, sha256: 'a'.repeat(64) }));
  const take = () => office.author.post('/api/admin/rule-sets/import', { ...file, documents });
  await refused(take, 422, 'is not the hash', 'documents.0.sha256');
});

test('a version that is published meanwhile: no submission, and who waited is suspended', async () => {
  const winner = await trendChange(8, 'submit');
  const late = await trendChange(9, 'validate');
  const waiting = await trendChange(10, 'submit');
  const approved = await office.approver.post(`${winner.address}/approve`, { sha256: winner.sha256 });
  assert.is(approved.body.state, 'published', JSON.stringify(approved.body));
  await refused(() => office.author.post(`${late.address}/submit`, {}), 409, 'base_moved', 'cbm/trend');
  assert.is((await office.author.get(late.address)).body.state, 'draft');
  const { sha256 } = waiting;
  await refused(() => office.approver.post(`${waiting.address}/approve`, { sha256 }), 409, 'state');
  assert.is((await office.author.get(waiting.address)).body.state, 'suspended');
});

test('a version that a release brings meanwhile: the approval is refused, not counted, and suspends the change', async () => {
  const { document } = await newestTrend();
  const text = changedConstants(document, { 'CBM-MIN-01': 11 });
  const { address, sha256 } = await takeChange(office, { 'cbm/trend': text }, { upTo: 'submit' });
  await installVersion(app.database.owner, await nextVersion(app.database.owner, 'cbm/trend', { 'CBM-MIN-01': 12 }));
  await refused(() => office.approver.post(`${address}/approve`, { sha256 }), 409, 'base_moved', 'cbm/trend');
  const { body } = await office.author.get(address);
  assert.is(body.state, 'suspended');
  assert.equal(body.approvals, []);
});

async function newestTrend(): Promise<Active> {
  const [newest] = (await office.author.get(`${trend}/versions`)).body.items as Json[];
  return (await office.author.get(`${trend}/versions/${newest?.version}`)).body as unknown as Active;
}

test.run();
