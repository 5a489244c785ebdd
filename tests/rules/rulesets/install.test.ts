// Installation of shipped rules at start: each version once, without overwriting stored ones.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { canonicalHash, canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { type LoadedRule, loadRules } from '#rules/rulesets/files.ts';
import { documentName } from '#rules/rulesets/index.ts';
import { installRules } from '#rules/rulesets/install.ts';
import { useDatabase } from '../../harness/database.ts';
import { buildSuperAdmin } from '../../harness/factories.ts';
import { shippedVersion } from '../../harness/rules.ts';

const { owner } = useDatabase(test);
const shipped = await loadRules('rules');
const day = (number: number) => new Date(Date.UTC(2026, 0, number));

const install = (rules: readonly LoadedRule[], now: Date) =>
  inContext(owner, 'SUPER', (trx) => installRules(trx, rules, now));

interface Activation {
  readonly reason: string;
  readonly kind: string;
  readonly versions: Record<string, number>;
}

const timeline = (): Promise<Activation[]> =>
  owner('rule_activation as a')
    .join('rule_bundle as b', 'b.id', 'a.bundleId')
    .orderBy('a.id')
    .select('a.reason', 'a.kind', 'b.versions');

const isTrend = ({ document }: LoadedRule) => document.meta.family === 'cbm';
const newestTrend = shippedVersion('cbm/trend');
const older = shipped.filter((rule) => !isTrend(rule));

test('a first start publishes all and activates the newest of each; the next one changes nothing', async () => {
  assert.equal(await install(older, day(1)), []);
  assert.equal(await install(older, day(2)), []);
  const [first, ...others] = await timeline();
  assert.equal(others, []);
  assert.is(first?.reason, 'initial');
  const newest = new Map<string, number>();
  for (const { document } of older) {
    const name = documentName(document);
    newest.set(name, Math.max(newest.get(name) ?? 0, document.meta.version));
  }
  assert.equal(first?.versions, Object.fromEntries(newest));
});

test('a family that a release adds joins the bundle in force', async () => {
  await install(shipped, day(3));
  const [before, after] = await timeline();
  assert.is(after?.reason, 'scheduled_release');
  assert.is(after?.kind, 'install');
  assert.equal(after?.versions, { ...before?.versions, 'cbm/trend': newestTrend });
});

/** The shipped trend rules as the version after the newest, with another text. */
function nextTrend(words: string): LoadedRule {
  const [rule] = shipped.filter(isTrend);
  if (!rule) throw new Error('no trend rules are shipped');
  const meta = { ...rule.document.meta, version: newestTrend + 1, title: { ar: words, en: words } };
  const document = { ...rule.document, meta };
  return { ...rule, id: `cbm/trend@${newestTrend + 1}`, document, sha256: canonicalHash(document) };
}

test('a number used by the backoffice is kept: the shipped text is not installed, and is reported', async () => {
  const own = canonicalJson(nextTrend('ours').document);
  const [author, approver] = [await buildSuperAdmin(owner), await buildSuperAdmin(owner)];
  await owner('rule_version').insert({
    ...{
      family: 'cbm',
      key: 'trend',
      version: newestTrend + 1,
      document: own,
      sha256: sha256Hex(own),
      publishedAt: day(4),
    },
    ...{ authorUserId: author.id, approvedBy: [approver.id] },
  });
  assert.equal(await install([...shipped, nextTrend('theirs')], day(5)), [`cbm/trend@${newestTrend + 1}`]);
  const row = await owner('rule_version')
    .where({ family: 'cbm', version: newestTrend + 1 })
    .first();
  assert.is(row.document, own);
  assert.is((await timeline()).length, 2);
});

test('a shipped version with another text than it was published with stops the start', async () => {
  const [rule, ...others] = shipped;
  if (!rule) throw new Error('no rules are shipped');
  const document = { ...rule.document, meta: { ...rule.document.meta, title: { ar: 'x', en: 'x' } } };
  const altered = { ...rule, document, sha256: canonicalHash(document) };
  const refusal = await install([altered, ...others], day(6)).catch((error: Error) => error.message);
  assert.is(refusal, `${rule.id} in rules/ differs from the published version in the database.`);
});

test.run();
