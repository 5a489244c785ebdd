// timeout: 240s
// New versions of the checks by the backoffice: in force at once, with every shipped check, and only the settings that may be
// changed.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Backoffice, buildBackoffice } from '../../backoffice/workbench/backoffice.ts';
import { useApp } from '../../harness/http.ts';
import { shippedChecks } from './documents.ts';

const test = suite('checks-set');
const app = useApp(test, { rules: true });
let office: Backoffice;
test.before(async () => {
  office = await buildBackoffice(app);
});

type Row = Record<string, unknown>;
const publish = (baseVersion: number, checks: readonly Row[]) =>
  office.author.post('/api/admin/qa/checks-set', { baseVersion, checks });
const changed = (id: string, change: Row): Row[] =>
  shippedChecks.map((check) => (check.qaCheckId === id ? { ...check, ...change } : { ...check }));
const details = ({ body }: Awaited<ReturnType<typeof publish>>) => body.details;

test('what may be set is set, and in force at once', async () => {
  const { status, body } = await publish(3, changed('OUTBOX_STUCK', { severity: 'medium', threshold: 90 }));
  assert.is(status, 201, JSON.stringify(body));
  assert.equal([body.ruleVersion, body.version, String(body.sha256).length], ['qa/checks@4', 4, 64]);
  const read = (await office.author.get('/api/qa/checks?limit=100')).body;
  assert.is(read.ruleVersion, 'qa/checks@4');
  const row = (read.items as Row[]).find(({ qaCheckId }) => qaCheckId === 'OUTBOX_STUCK');
  assert.equal([row?.severity, row?.threshold, row?.probe], ['medium', 90, 'outbox_stuck']);
});

test('an old base, the same again and another one at the same time are conflicts', async () => {
  const again = changed('OUTBOX_STUCK', { severity: 'medium', threshold: 90 });
  assert.equal(details(await publish(3, again))?.[0]?.issue, 'base_moved');
  const same = await publish(4, again);
  assert.equal([same.status, details(same)?.[0]?.issue], [409, 'no_change']);
  const both = await Promise.all([91, 92].map((threshold) => publish(4, changed('OUTBOX_STUCK', { threshold }))));
  assert.equal(both.map(({ status }) => status).sort(), [201, 409]);
});

test('a check that is missing, unknown, duplicate or of another kind is refused, each with its path', async () => {
  const refused = async (checks: readonly Row[]) => {
    const answer = await publish(5, checks);
    assert.is(answer.status, 422, JSON.stringify(answer.body));
    return details(answer);
  };
  assert.equal(await refused(shippedChecks.slice(1) as unknown as Row[]), [
    { field: 'checks', issue: 'lacks STATUS_WITHOUT_RULE_VERSION' },
  ]);
  const [first] = shippedChecks;
  assert.equal(await refused([...changed('', {}), { ...first, qaCheckId: 'OTHER' }, { ...first }]), [
    { field: 'checks.40.qaCheckId', issue: 'is not known' },
    { field: 'checks.41.qaCheckId', issue: 'is there twice' },
  ]);
  assert.equal(await refused(changed('OUTBOX_STUCK', { kind: 'audit' })), [
    { field: 'checks.9.kind', issue: 'is fixed' },
  ]);
  for (const wrong of [
    { threshold: 0 },
    { threshold: 1.5 },
    { severity: 'grave' },
    { titleEn: '' },
    { sql: 'select 1' },
  ])
    await refused(changed('OUTBOX_STUCK', wrong));
});

test.run();
