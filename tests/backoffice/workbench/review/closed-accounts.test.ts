// timeout: 180s
// An approval takes effect when the version is published: of accounts that have been closed since it does not count.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { approversAmong } from '#identity/people/index.ts';
import { buildSuperAdmin, buildTeacher } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { type Backoffice, buildBackoffice, type Json, nextVersion, takeChange } from '../backoffice.ts';

const test = suite('approvals of closed accounts');
const app = useApp(test, { rules: true });
const { owner } = app.database;
let office: Backoffice;
let nextValue = 5;

test.before.each(async () => {
  office = await buildBackoffice(app);
});

async function inReview(quorum: number) {
  const document = await nextVersion(owner, 'cbm/trend', { 'CBM-MIN-01': nextValue });
  nextValue += 1;
  return takeChange(office, { 'cbm/trend': document }, { quorum, upTo: 'submit' });
}

const setStatus = async (id: number, action: 'deactivate' | 'reactivate') => {
  const { status, body } = await office.author.post(`/api/users/${id}/${action}`, {});
  assert.is(status, 200, JSON.stringify(body));
};

test('of two approvals one is of a closed account: the change waits for one more', async () => {
  const { address, sha256 } = await inReview(2);
  const approve = async (who: keyof Backoffice) => (await office[who].post(`${address}/approve`, { sha256 })).body;
  await approve('approver');
  await setStatus(office.approver.id, 'deactivate');
  const second = await approve('secondApprover');
  assert.is(second.state, 'in_review', JSON.stringify(second));
  const givers = (body: Json) => (body.approvals as Json[]).map(({ userId }) => userId);
  assert.equal(givers(second), [office.secondApprover.id], 'those that count are shown');
  const third = (await buildBackoffice(app)).approver;
  const { body: published } = await third.post(`${address}/approve`, { sha256 });
  assert.is(published.state, 'published', JSON.stringify(published));
  const versions = await office.author.get('/api/admin/rule-sets/cbm/trend/versions');
  const [newest] = versions.body.items as { approvedBy: number[] }[];
  assert.equal(
    newest?.approvedBy,
    [office.secondApprover.id, third.id].sort((left, right) => left - right),
  );
});

test('an account that is open again counts again', async () => {
  const { address, sha256 } = await inReview(2);
  await office.approver.post(`${address}/approve`, { sha256 });
  await setStatus(office.approver.id, 'deactivate');
  await setStatus(office.approver.id, 'reactivate');
  const { body } = await office.secondApprover.post(`${address}/approve`, { sha256 });
  assert.is(body.state, 'published', JSON.stringify(body));
});

test('only active SUPER administrators may still approve; in production those with a confirmed second factor', async () => {
  const [open, closed, teacher] = [
    await buildSuperAdmin(owner),
    await buildSuperAdmin(owner, { status: 'inactive' }),
    await buildTeacher(owner),
  ];
  const among = (production: boolean) =>
    inContext(app.services.db, 'SUPER', async (trx) => [
      ...(await approversAmong({ production }, trx, [open.id, closed.id, teacher.id, open.id])),
    ]);
  assert.equal(await among(false), [open.id]);
  assert.equal(await among(true), []);
  await owner('totp').insert({
    ...{ userId: open.id, organizationId: 'platform', encryptedSecret: 'x', enrolledAt: new Date(0) },
    ...{ confirmedAt: new Date(0), confirmedSessionId: 'any' },
  });
  assert.equal(await among(true), [open.id]);
});

test.run();
