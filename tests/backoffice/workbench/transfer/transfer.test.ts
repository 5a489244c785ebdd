// timeout: 120s
// A bundle leaves as a file and comes in as drafts: hashes are checked, nothing is taken in by half.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { canonicalHash } from '#core/platform/pure/canonical-json.ts';
import { useApp } from '../../../harness/http.ts';
import { type Backoffice, buildBackoffice, changedConstants, type Json } from '../backoffice.ts';

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
  drafts: (await app.database.owner('rule_draft')).length,
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

test('a version that is here with other cases differs, whichever is left out or put in', async () => {
  const one = file.documents.find(({ cases }) => cases.length > 1) as Document;
  const withCases = (cases: Json[]) => ({
    ...one,
    cases,
    goldenSha256: cases.length === 0 ? null : canonicalHash({ cases }),
  });
  for (const cases of [one.cases.slice(1), [], [...one.cases, { ...one.cases[0], name: 'one more' }]]) {
    const taken = await take([withCases(cases)]);
    assert.equal([taken.status, taken.body.details?.[0]?.issue], [409, 'differs']);
  }
});

test('a new version waits for approval like any other change', async () => {
  const taken = await take([next('cbm/trend', reworded), next('ssr/ssr', reworded)]);
  assert.is(taken.status, 200, JSON.stringify(taken.body));
  const [first] = taken.body.results as Json[];
  assert.is(first?.result, 'in_review');
  const draft = await office.approver.get(`/api/admin/rule-sets/cbm/trend/drafts/${first?.draftId}`);
  assert.is(draft.body.state, 'in_review');
  assert.is(draft.body.level, 'patch');
  const approved = await office.approver.post(`/api/admin/rule-sets/cbm/trend/drafts/${first?.draftId}/approve`, {
    sha256: draft.body.sha256,
  });
  assert.is(approved.body.state, 'published');
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
  ['a published version with another text', 409, () => [{ ...next('dsm/dsm', reworded), version: 1 }]],
  ['a version that is not the next', 409, () => [{ ...next('dsm/dsm', reworded), version: 7 }]],
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
