// timeout: 180s
// One person with two accounts counts as one person: every way in which the author of a rule, text or import could
// control the approver's account is tried over HTTP.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { capabilities } from '#app/capabilities.ts';
import { routesOf } from '#core/module/capability.ts';
import {
  type Backoffice,
  buildBackoffice,
  changedConstants,
  type Json,
  takeChange,
} from '../backoffice/workbench/backoffice.ts';
import { buildSuperAdmin, type Insert, signIn, type UserRow } from '../harness/factories.ts';
import { useApp } from '../harness/http.ts';
import { buildNarrative } from '../support/interventions/narratives/rows.ts';
import { buildBatch } from '../teaching/lesson-blueprints/rows.ts';
import { codeOf } from './support.ts';

const waitHours = 72;
const hourMs = 3_600_000;
const app = useApp(test, { rules: true, settings: { APPROVER_WAIT_HOURS: String(waitHours) } });
const { owner } = app.database;
const set = '/api/admin/rule-sets/cbm/trend';
let office: Backoffice;
let change: { address: string; sha256: string };

test.before(async () => {
  office = await buildBackoffice(app);
  const { body } = await office.author.get(`${set}/versions/active`);
  const document = changedConstants(body.document as Json, { 'CBM-MIN-01': 5 });
  change = await takeChange(office, { 'cbm/trend': document }, { upTo: 'submit' });
});

interface Approval {
  readonly code?: string;
  readonly state?: string;
  readonly details?: { issue: string }[];
}

const approveAs = async (user: UserRow) =>
  app.post<Approval>(`${change.address}/approve`, { sha256: change.sha256 }, { token: await signIn(app, user) });

/** Asserts the refusal and its security event. */
async function assertRefused(user: UserRow, issue: string): Promise<void> {
  const before = await refusalsOf(user);
  const reply = await approveAs(user);
  assert.equal([reply.status, codeOf(reply), reply.body.details?.[0]?.issue], [403, 'PERMISSION_DENIED', issue]);
  assert.is((await refusalsOf(user)) - before, 1);
}

async function refusalsOf({ id }: UserRow): Promise<number> {
  await app.services.securityEvents.settled();
  const token = await signIn(app, (await owner('app_user').where({ id: office.approver.id }).first()) as UserRow);
  const path = `/api/admin/security-events?kind=approval_refused&userId=${id}`;
  return (await app.get<{ items: unknown[] }>(path, { token })).body.items.length;
}

const veteran = (overrides: Insert = {}) => buildSuperAdmin(owner, overrides);

test('by a password of the author’s choice: the password of a SUPER cannot be set, not even by id of the own account', async () => {
  const other = await veteran();
  for (const id of [other.id, office.author.id]) {
    const reply = await office.author.request('PATCH', `/api/users/${id}`, { password: 'chosen by the author' });
    assert.equal([reply.status, reply.body.code], [403, 'PERMISSION_DENIED']);
  }
  const row = await owner('app_user').where({ id: other.id }).first('passwordHash');
  assert.is(row.passwordHash, null);
});

test('by a second SUPER of the author’s making: refused for the wait, and as long as the account is fresh', async () => {
  const email = 'second@example.org';
  const input = { primaryPersona: 'ADMIN', scope: 'SUPER', email, password: 'a pocket account', fullNameAr: 'زميلة' };
  const made = await office.author.post('/api/users', input);
  assert.is(made.status, 201, JSON.stringify(made.body));
  const second = { ...(await owner('app_user').where({ id: made.body.id }).first()) } as UserRow;
  await assertRefused(second, 'approver_too_new');
});

test('a new SUPER is refused for the one who created it, except for the very first one', async () => {
  const now = app.clock.now();
  const fresh = await veteran({ createdAt: now });
  await assertRefused(fresh, 'approver_too_new');
  app.clock.advance(waitHours * hourMs - 1);
  await assertRefused(fresh, 'approver_too_new');
  app.clock.advance(1);
  const reply = await app.post(
    `${change.address}/approve`,
    { sha256: 'f'.repeat(64) },
    { token: await signIn(app, fresh) },
  );
  app.clock.set(now);
  assert.is(reply.status, 409, 'after the waiting time the text is checked');
});

for (const [name, hands] of [
  ['author', () => office.author],
  ['editor', () => office.editor],
] as const) {
  test(`by reactivation: an account that the ${name} has closed and reopened`, async () => {
    const other = await veteran();
    await hands().post(`/api/users/${other.id}/deactivate`, undefined);
    assert.is((await hands().post(`/api/users/${other.id}/reactivate`, undefined)).status, 200);
    await assertRefused(other, 'approver_not_independent');
  });

  test(`by a change: an account to which the ${name} has given a role; its address cannot be changed`, async () => {
    const other = await veteran();
    const patch = (body: object) => hands().request('PATCH', `/api/users/${other.id}`, body);
    assert.is((await patch({ email: `${name}-owns@example.org` })).status, 403);
    assert.is((await patch({ fullNameAr: 'اسم آخر' })).status, 200);
    const changed = await patch({ seats: ['HIGH_INTENSITY_SPECIALIST'] });
    assert.is(changed.status, 200, JSON.stringify(changed.body));
    await assertRefused(other, 'approver_not_independent');
  });
}

const others: readonly [string, (writer: number) => Promise<string>][] = [
  [
    'a text about a profile',
    async (authorUserId) => `/api/admin/profile-narratives/${await buildNarrative(owner, { authorUserId })}/approve`,
  ],
  [
    'an import of blueprints',
    async (importedBy) => `/api/session-blueprints/${await buildBatch(owner, { importedBy })}/approve`,
  ],
];
for (const [name, addressOf] of others) {
  test(`${name} applies the same rules to its approver`, async () => {
    const path = await addressOf(office.author.id);
    const approve = async (user: UserRow) => app.post<Approval>(path, {}, { token: await signIn(app, user) });
    const fresh = await veteran({ createdAt: app.clock.now() });
    const changed = await veteran();
    await office.author.request('PATCH', `/api/users/${changed.id}`, { seats: ['HIGH_INTENSITY_SPECIALIST'] });
    for (const [user, issue] of [
      [fresh, 'approver_too_new'],
      [changed, 'approver_not_independent'],
    ] as const) {
      const before = await refusalsOf(user);
      const reply = await approve(user);
      assert.equal([reply.status, reply.body.details?.[0]?.issue], [403, issue]);
      assert.is((await refusalsOf(user)) - before, 1);
    }
    assert.is((await approve(await veteran())).status, 200);
  });
}

test('every approval of another author’s work is covered', () => {
  const approvals = routesOf(capabilities).filter(
    ({ reach, path }) => reach.startsWith('P (not') && /approve$/.test(path),
  );
  const names = approvals.map(({ operation }) => operation).sort();
  assert.equal(names, ['approveBlueprintImport', 'approveNarrative', 'approveRuleChange']);
  assert.is(others.length, names.length - 1);
});

test('a change by another person than the author is accepted, and the first SUPER needs no waiting time', async () => {
  const other = await veteran();
  await office.secondApprover.request('PATCH', `/api/users/${other.id}`, { seats: ['HIGH_INTENSITY_SPECIALIST'] });
  await owner('app_user').where({ id: office.author.id }).update({ createdAt: app.clock.now() });
  const reply = await approveAs(other);
  assert.equal([reply.status, reply.body.state], [200, 'published'], JSON.stringify(reply.body));
});

test('the first SUPER approves however new the account is', async () => {
  const first = (await owner('app_user').where({ scope: 'SUPER' }).orderBy('id').first()) as UserRow;
  await owner('app_user').where({ id: first.id }).update({ createdAt: app.clock.now() });
  const ofOther = await office.editor.post('/api/admin/rule-changes', { title: 'Of another' });
  assert.is(ofOther.status, 201, JSON.stringify(ofOther.body));
  const address = `/api/admin/rule-changes/${ofOther.body.changeId}/approve`;
  const reply = await app.post(address, { sha256: change.sha256 }, { token: await signIn(app, first) });
  assert.equal([reply.status, codeOf(reply)], [409, 'CONFLICT'], 'refused for its state, not for the account');
});

test.run();
