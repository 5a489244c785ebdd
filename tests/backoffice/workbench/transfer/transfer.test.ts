// timeout: 120s
// A bundle leaves as a file and comes in as a change: hashes are checked, nothing is taken in by half.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { canonicalHash } from '#core/platform/pure/canonical-json.ts';
import { buildSuperAdmin, signIn } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { type Backoffice, buildBackoffice, changedConstants, type Json, takeChange } from '../backoffice.ts';

interface Document extends Json {
  readonly family: string;
  readonly key: string;
  readonly version: number;
  readonly sha256: string;
  readonly goldenSha256: string | null;
  readonly document: Json;
  readonly cases: Json[];
}
interface File extends Json {
  readonly documents: Document[];
}

const app = useApp(test, { rules: true });
let office: Backoffice;
let file: File;

test.before(async () => {
  office = await buildBackoffice(app);
  file = (await office.author.get('/api/admin/rule-sets/export')).body as unknown as File;
});

const take = (documents: readonly Document[]) =>
  office.author.post('/api/admin/rule-sets/import', { ...file, documents });

const counts = async () => ({
  changes: (await app.database.owner('rule_change')).length,
  texts: (await app.database.owner('rule_change_document')).length,
  versions: (await app.database.owner('rule_version')).length,
});

/** The next version of a document of the file, with the hashes of its text. */
function next(name: string, change: (document: Json) => Json, cases?: Json[]): Document {
  const one = file.documents.find(({ family, key }) => `${family}/${key}` === name);
  if (!one) throw new Error(`${name} is not in the file`);
  const changed = change(one.document);
  const document = { ...changed, meta: { ...(changed.meta as Json), version: one.version + 1 } };
  const kept = cases ?? one.cases;
  const goldenSha256 = kept.length === 0 ? null : canonicalHash({ cases: kept });
  return { ...one, version: one.version + 1, document, cases: kept, sha256: canonicalHash(document), goldenSha256 };
}

const reworded = (document: Json): Json => ({
  ...document,
  rules: (document.rules as Json[]).map((rule) => ({ ...rule, rationale: `${rule.rationale} (reworded)` })),
});

test('the file holds the whole bundle, each text with its hash', async () => {
  const bundle = await app.database.owner('rule_bundle').first();
  assert.is(file.bundleId, bundle.id);
  const pins = Object.fromEntries(file.documents.map(({ family, key, version }) => [`${family}/${key}`, version]));
  assert.equal(pins, bundle.versions);
  for (const { document, sha256 } of file.documents) assert.is(canonicalHash(document), sha256);
  assert.is((await office.author.get('/api/admin/rule-sets/export?bundleId=abcdefghijklmnopqrstuvwx')).status, 404);
});

test('what is here already is reported as present, and nothing is written', async () => {
  const before = await counts();
  const taken = await take(file.documents);
  assert.is(taken.status, 200, JSON.stringify(taken.body));
  const results = taken.body.results as Json[];
  assert.ok(results.every(({ result }) => result === 'present'));
  assert.equal(await counts(), before);
});

test('a text that is here with other cases is none that is present, whichever is left out or put in', async () => {
  const one = file.documents.find(({ cases }) => cases.length > 1) as Document;
  const withCases = (cases: Json[]) => ({
    ...one,
    cases,
    goldenSha256: cases.length === 0 ? null : canonicalHash({ cases }),
  });
  for (const cases of [one.cases.slice(1), [], [...one.cases, { ...one.cases[0], name: 'one more' }]]) {
    const taken = await take([withCases(cases)]);
    assert.is(taken.status, 200, JSON.stringify(taken.body));
    const { result, version } = (taken.body.results as Json[])[0] ?? {};
    assert.equal([result, version], ['in_review', one.version + 1]);
  }
});

/** The document with another number, as another service would have it. */
function numbered(one: Document, version: number): Document {
  const document = { ...one.document, meta: { ...(one.document.meta as Json), version } };
  return { ...one, version, document, sha256: canonicalHash(document) };
}

const resultOf = async (document: Document, more: Json = {}) => {
  const taken = await office.author.post('/api/admin/rule-sets/import', { ...file, ...more, documents: [document] });
  assert.is(taken.status, 200, JSON.stringify(taken.body));
  return (taken.body.results as Json[])[0] as Json;
};

test('a text that is here under another number is present, and the answer names the number here', async () => {
  const before = await counts();
  for (const number of [1, 6, 999]) {
    const here = file.documents.find(({ key }) => key === 'retention') as Document;
    const { result, version, changeId } = await resultOf(numbered(here, number));
    assert.equal([result, version, changeId], ['present', here.version, null]);
  }
  assert.equal(await counts(), before);
});

test('a version of any number becomes the next one here, and keeps where it comes from', async () => {
  const here = file.documents.find(({ key }) => key === 'retention') as Document;
  const meta = here.document.meta as Json;
  const changed = { ...here.document, meta: { ...meta, title: { ar: 'مدد الحفظ', en: 'Another title' } } };
  // As the file of a service that has published two versions which this one never had; then with a number that is taken here.
  const gap = numbered({ ...here, document: changed }, here.version + 6);
  const result = await resultOf(gap, { service: 'https://trial.example' });
  assert.equal([result.result, result.version], ['in_review', here.version + 1]);
  const address = `/api/admin/rule-changes/${result.changeId}`;
  const { body: text } = await office.approver.get(`${address}/documents/operations/retention`);
  const origin = { service: 'https://trial.example', version: here.version + 6, sha256: gap.sha256 };
  assert.is((text.document as { meta: Json }).meta.version, here.version + 1);
  const taken = await resultOf(numbered({ ...here, document: changed }, here.version));
  assert.equal([taken.result, taken.version], ['in_review', here.version + 1]);

  const { sha256 } = (await office.approver.get(address)).body;
  const approved = await office.approver.post(`${address}/approve`, { sha256 });
  assert.is(approved.body.state, 'published', JSON.stringify(approved.body));
  const versions = '/api/admin/rule-sets/operations/retention/versions';
  const { body: published } = await office.author.get(`${versions}/${here.version + 1}`);
  assert.equal(published.origin, origin);
  assert.is((await office.author.get(`${versions}/${here.version}`)).body.origin, null);
  const again = await resultOf(gap);
  assert.equal([again.result, again.version], ['present', here.version + 1], 'the same file once more');
});

test('a text that somebody changed after it was taken in does not come from the file any more', async () => {
  const { changeId } = await resultOf(numbered(next('dsm/dsm', reworded), 5));
  const address = `/api/admin/rule-changes/${changeId}`;
  const originNow = async () => {
    const row = await app.database.owner('rule_change_document').where({ changeId }).first('origin');
    return (row.origin as Json | null)?.version;
  };
  assert.is(await originNow(), 5);
  await office.approver.post(`${address}/return`, {});
  const path = `${address}/documents/dsm/dsm`;
  const { body: text } = await office.editor.get(path);
  const put = (document: unknown, etag: unknown) =>
    office.editor.request('PUT', path, { document }, { 'if-match': String(etag) });
  const same = await put(text.document, text.etag);
  assert.is(await originNow(), 5, JSON.stringify(same.body));
  const other = await put(reworded(text.document as Json), same.body.etag);
  assert.is(await originNow(), undefined, JSON.stringify(other.body));
});

test('the file says which service it comes from, and may begin with a byte order mark', async () => {
  assert.match(String(file.service), /^http:/);
  const token = await signIn(app, await buildSuperAdmin(app.database.owner));
  const text = `\ufeff${JSON.stringify({ ...file, documents: file.documents.slice(0, 1) })}`;
  const taken = await fetch(`${app.url()}/api/admin/rule-sets/import`, {
    ...{ method: 'POST', body: text },
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  assert.is(taken.status, 200, await taken.clone().text());
});

test('all that is new arrives as one change, which waits for approval like any other', async () => {
  const taken = await take([
    next('cbm/trend', reworded),
    next('subflag/subflag', reworded),
    ...file.documents.slice(0, 1),
  ]);
  assert.is(taken.status, 200, JSON.stringify(taken.body));
  const results = taken.body.results as Json[];
  assert.equal(
    results.map(({ result }) => result),
    ['in_review', 'in_review', 'present'],
  );
  assert.is(results[0]?.changeId, results[1]?.changeId);
  const address = `/api/admin/rule-changes/${results[0]?.changeId}`;
  const { body: change } = await office.approver.get(address);
  assert.equal([change.state, change.level, (change.documents as Json[]).length], ['in_review', 'patch', 2]);
  const declined = await office.approver.post(`${address}/decline`, { reason: 'duplicate' });
  assert.is(declined.body.state, 'rejected');
});

test('a case that changed in a version that is not here comes with its reason; the file is present afterwards', async () => {
  const changes = (document: Json) => changedConstants(document, { 'CBM-MIN-01': 4 });
  const change = await takeChange(
    office,
    { 'cbm/trend': changes(next('cbm/trend', reworded).document) },
    { upTo: 'validate' },
  );
  const accepted = (await office.author.get(`${change.address}/documents/cbm/trend`)).body.cases as Json[];
  const judged = accepted.map(({ acceptedChange: _reason, ...golden }) => golden);
  const there = numbered(
    next('cbm/trend', (document) => changes(reworded(document)), judged),
    9,
  );
  const { result, changeId } = await resultOf(there);
  assert.is(result, 'in_review');
  const address = `/api/admin/rule-changes/${changeId}`;
  const { body: taken } = await office.approver.get(`${address}/documents/cbm/trend`);
  const reasons = (taken.cases as Json[]).flatMap(({ acceptedChange = [] }) => acceptedChange);
  assert.ok(reasons.length > 0);
  for (const reason of reasons) assert.match(String(reason), /^Changed in version 9 of http:/);
  const { sha256 } = (await office.approver.get(address)).body;
  const approved = await office.approver.post(`${address}/approve`, { sha256 });
  assert.is(approved.body.state, 'published', JSON.stringify(approved.body));
  assert.is((await resultOf(there)).result, 'present');
});

const refusals: readonly [string, number, () => readonly Document[]][] = [
  ['a hash that is not the text’s', 422, () => [{ ...next('dsm/dsm', reworded), sha256: 'a'.repeat(64) }]],
  ['a hash that is not the cases’', 422, () => [{ ...next('dsm/dsm', reworded), goldenSha256: 'a'.repeat(64) }]],
  ['a document twice', 422, () => [next('dsm/dsm', reworded), next('dsm/dsm', reworded)]],
  ['an unknown rule set', 422, () => [{ ...next('dsm/dsm', reworded), key: 'other' }]],
  [
    'a document that fails its cases',
    422,
    () => [next('bnd/bnd', (document) => changedConstants(document, { 'DTH-DEF-01': 0.3 }))],
  ],
];

for (const [what, status, documents] of refusals) {
  test(`refused whole: ${what}`, async () => {
    const before = await counts();
    const taken = await take([next('esc/esc', reworded), ...documents()]);
    assert.is(taken.status, status, JSON.stringify(taken.body));
    assert.equal(await counts(), before);
  });
}

test.run();
