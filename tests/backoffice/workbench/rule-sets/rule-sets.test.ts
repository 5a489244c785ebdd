// The catalogue of rule sets, a version as it is read, and questions to it.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { canonicalHash } from '#core/platform/pure/canonical-json.ts';
import { useApp } from '../../../harness/http.ts';
import { shippedVersion } from '../../../harness/rules.ts';
import { type Backoffice, buildBackoffice, type Json } from '../backoffice.ts';

const app = useApp(test, { rules: true });
let office: Backoffice;

test.before(async () => {
  office = await buildBackoffice(app);
});

test('every published document is a rule set of the catalogue, page by page', async () => {
  const names: string[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await office.author.get(`/api/admin/rule-sets?limit=7${cursor && `&cursor=${cursor}`}`);
    names.push(...(body.items as Json[]).map(({ family, key }) => `${family}/${key}`));
    if (body.nextCursor === null) break;
    cursor = String(body.nextCursor);
  }
  const bundle = await app.database.owner('rule_bundle').first();
  assert.equal(names.sort(), Object.keys(bundle.versions).sort());
});

test('a shipped set is in force, healthy, and no one is its author', async () => {
  const { body } = await office.author.get('/api/admin/rule-sets?limit=100');
  const ssr = (body.items as Json[]).find(({ family }) => family === 'ssr');
  assert.is(ssr?.activeVersion, 1);
  assert.is(ssr?.kind, 'table');
  assert.is(ssr?.health, 'ok');
  assert.is(ssr?.nextScheduled, null);
  assert.equal(ssr && (ssr.lastChange as Json).authorUserId, null);
});

test('a version is read with its text, and the hash is the text’s', async () => {
  const { body } = await office.author.get('/api/admin/rule-sets/pac/pac/versions/active');
  assert.is(canonicalHash(body.document), body.sha256);
  assert.is(canonicalHash({ cases: body.cases }), body.goldenSha256);
  assert.is(body.state, 'active');
  const unknown = `pac/pac/versions/${shippedVersion('pac/pac') + 1}`;
  for (const path of [unknown, 'pac/other/versions/1', 'nothing/here/versions', 'pac/pac/versions/0']) {
    assert.is((await office.author.get(`/api/admin/rule-sets/${path}`)).status, 404, path);
  }
});

/** Contract 40 §5, row GSR-05 of the status table: a gateway sub-skill with a confirmed weakness. */
const gatewayWeak = {
  pacDecision: 'confirm',
  pacReason: 'WEAKNESS_PATTERN',
  contextReview: false,
  gateway: true,
  accuracyIndicator: false,
  coreWeakDomains: 1,
  prereqConfirmedWeak: false,
  domainPeersWeak: false,
};

test('a question is answered with the rules that were tried, and the smallest change that flips it', async () => {
  const { status, body } = await office.author.post('/api/admin/rule-sets/ssr/ssr/versions/active/try', {
    facts: gatewayWeak,
  });
  assert.is(status, 200, JSON.stringify(body));
  assert.is(body.ruleId, 'SSR-08');
  assert.is(body.outcome, 'weak_gateway');
  const trace = body.trace as { ruleId: string; failed?: Json }[];
  assert.is(trace.at(-1)?.ruleId, 'SSR-08');
  assert.ok(trace.slice(0, -1).every(({ failed }) => failed !== undefined));
  const flip = body.flipDistance as { changes: Json[]; facts: Json; outcome: string };
  assert.is(flip.changes.length, 1);
  const flipped = await office.author.post('/api/admin/rule-sets/ssr/ssr/versions/1/try', { facts: flip.facts });
  assert.is(flipped.body.outcome, flip.outcome);
});

/** Golden case G05, domain FLU: severe by both paths. */
const bothPaths = {
  domainStatus: 'weak_gateway',
  gatewaySeverityKnown: true,
  gatewaySeverity: 0.7273,
  validEvidence: true,
  rawWeightedDeficitRate: 0.8,
};

test('a collect table answers all its hits', async () => {
  const path = '/api/admin/rule-sets/esc/esc/versions/active/try';
  const asked = await office.author.post(path, { facts: bothPaths });
  assert.is(asked.status, 200, JSON.stringify(asked.body));
  const hits = asked.body.hits as { ruleId: string; params: Json }[];
  assert.equal(
    hits.map(({ params }) => params.path),
    ['A', 'B'],
  );
  const none = await office.author.post(path, { facts: { ...bothPaths, validEvidence: false, gatewaySeverity: 0 } });
  assert.equal(none.body.hits, []);
});

test('facts that do not fit are refused by name, and values cannot be asked', async () => {
  const path = '/api/admin/rule-sets/ssr/ssr/versions/active/try';
  const { gateway: _gateway, ...without } = gatewayWeak;
  const cases: [Json, string][] = [
    [without, 'facts.gateway'],
    [{ ...gatewayWeak, other: 1 }, 'facts.other'],
    [{ ...gatewayWeak, gateway: 'yes' }, 'facts.gateway'],
    [{ ...gatewayWeak, coreWeakDomains: -1 }, 'facts.coreWeakDomains'],
  ];
  for (const [facts, field] of cases) {
    const { status, body } = await office.author.post(path, { facts });
    assert.is(status, 422);
    assert.is(body.details?.[0]?.field, field);
  }
  const values = await office.author.post('/api/admin/rule-sets/dth/dth/versions/active/try', { facts: {} });
  assert.is(values.body.details?.[0]?.issue, 'no_rules');
});

test.run();
