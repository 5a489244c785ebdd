// One rule for new passwords: every operation that sets one is tested with every kind of password.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { demoPassword } from '#app/demo/logins.ts';
import { isCommonPassword } from '#identity/people/credentials/passwords.ts';
import { buildSuperAdmin, buildUser, password, passwordHash, signIn } from '../../harness/factories.ts';
import type { Reply } from '../../harness/fetch.ts';
import { useApp } from '../../harness/http.ts';
import { noGeneralLimits } from '../support.ts';

const rules = suite('password rules');
const app = useApp(rules, { settings: noGeneralLimits });
const { owner } = app.database;

type Owner = 'SUPER' | 'ADMIN' | 'TEACHER';
interface Operation {
  readonly owner: Owner;
  readonly field: string;
  /** Sets `input` as the password of a new account with this address. */
  readonly set: (email: string, input: string) => Promise<Reply>;
}

const newAccount = (kind: Owner, email: string, more: object = {}) =>
  kind === 'SUPER' ? buildSuperAdmin(owner, { email, ...more }) : buildUser(owner, kind, { email, ...more });

async function create(kind: Owner, email: string, input: string): Promise<Reply> {
  const organization = kind === 'SUPER' ? { scope: 'SUPER' } : { organizationId: await organizationId() };
  const person = { primaryPersona: kind === 'SUPER' ? 'ADMIN' : kind, fullNameAr: 'اسم', ...organization };
  return app.post('/api/users', { ...person, email, password: input }, { token: await superToken() });
}

async function reset(kind: Owner, email: string, input: string): Promise<Reply> {
  const { id } = await newAccount(kind, email);
  return app.patch(`/api/users/${id}`, { password: input }, { token: await superToken() });
}

async function change(kind: Owner, email: string, input: string): Promise<Reply> {
  const user = await newAccount(kind, email, { passwordHash: await passwordHash() });
  const token = await signIn(app, user);
  return app.patch('/api/auth/password', { currentPassword: password, newPassword: input }, { token });
}

/** Registration is open only while there is no SUPER administrator. */
async function register(email: string, input: string): Promise<Reply> {
  // Sessions and names refer to these accounts. It is enough that they are no SUPER administrators.
  await owner.transaction(async (trx) => {
    await trx.raw("set local session_replication_role = 'replica'");
    const organization = await organizationId();
    await trx('app_user').where({ scope: 'SUPER' }).update({ scope: 'ORGANIZATION', organizationId: organization });
  });
  return app.post('/api/auth/register', { email, password: input, fullNameAr: 'مديرة', primaryPersona: 'ADMIN' });
}

let known: string | undefined;
async function organizationId(): Promise<string> {
  known ??= String((await buildUser(owner, 'TEACHER')).organizationId);
  return known;
}
const superToken = async () => signIn(app, await buildSuperAdmin(owner));

const operations: Readonly<Record<string, Operation>> = {
  'POST /api/auth/register': { owner: 'SUPER', field: 'password', set: register },
  'POST /api/users of a SUPER': { owner: 'SUPER', field: 'password', set: (...to) => create('SUPER', ...to) },
  'POST /api/users of an ADMIN': { owner: 'ADMIN', field: 'password', set: (...to) => create('ADMIN', ...to) },
  'POST /api/users of a TEACHER': { owner: 'TEACHER', field: 'password', set: (...to) => create('TEACHER', ...to) },
  'PATCH /api/users of an ADMIN': { owner: 'ADMIN', field: 'password', set: (...to) => reset('ADMIN', ...to) },
  'PATCH /api/users of a TEACHER': { owner: 'TEACHER', field: 'password', set: (...to) => reset('TEACHER', ...to) },
  'PATCH /api/auth/password of a SUPER': {
    owner: 'SUPER',
    field: 'newPassword',
    set: (...to) => change('SUPER', ...to),
  },
  'PATCH /api/auth/password of an ADMIN': {
    owner: 'ADMIN',
    field: 'newPassword',
    set: (...to) => change('ADMIN', ...to),
  },
  'PATCH /api/auth/password of a TEACHER': {
    owner: 'TEACHER',
    field: 'newPassword',
    set: (...to) => change('TEACHER', ...to),
  },
};

let serial = 0;
const freshEmail = (local = 'someone') => `${local}${++serial}@example.org`;

function assertIssue({ status, body }: Reply, field: string, issue?: string): void {
  const [detail] = (body as { details?: { field: string; issue: string }[] } | undefined)?.details ?? [];
  assert.equal([status, detail?.field], [422, field], JSON.stringify(body));
  if (issue !== undefined) assert.is(detail?.issue, issue);
}

for (const [name, { owner: kind, field, set }] of Object.entries(operations)) {
  const min = kind === 'TEACHER' ? 8 : 12;

  rules(`${name}: ${min} to 128 characters`, async () => {
    assertIssue(await set(freshEmail(), 'xkqzvwjy'.repeat(2).slice(0, min - 1)), field);
    assertIssue(await set(freshEmail(), 'x'.repeat(129)), field);
    assert.ok((await set(freshEmail(), 'xkqzvwjy'.repeat(2).slice(0, min))).status < 300);
    assert.ok((await set(freshEmail(), 'y'.repeat(128))).status < 300);
  });

  rules(`${name}: a common one, in any case, is too_common`, async () => {
    for (const common of kind === 'TEACHER'
      ? ['12345678', 'PassWord1', 'iloveyou']
      : ['1Q2w3e4r5t6y', 'qwerty123456']) {
      assertIssue(await set(freshEmail(), common), field, 'too_common');
    }
  });

  rules(`${name}: one that contains the local part of the e-mail address is too_common`, async () => {
    const email = freshEmail('nadia.k');
    const local = email.split('@')[0]?.toUpperCase();
    assertIssue(await set(email, `my ${local} password`), field, 'too_common');
  });

  rules(`${name}: a good one is taken, with an address of two letters too`, async () => {
    for (const [email, input] of [
      [`m${'abcdefghijk'[serial++ % 11]}@example${serial}.org`, 'a long secret'],
      [freshEmail(), 'another secret'],
      [freshEmail(), demoPassword],
    ] as const) {
      const reply = await set(email, input);
      assert.ok(reply.status < 300, `${input}: ${JSON.stringify(reply.body)}`);
    }
  });
}

rules('the list: the 3,000 commonest of the permitted length, and no more', () => {
  for (const common of ['password', '12345678', 'QWERTYUIOP', 'football'])
    assert.ok(isCommonPassword(common, 8), common);
  for (const fine of ['a long secret', 'another secret', demoPassword]) assert.not.ok(isCommonPassword(fine, 8), fine);
});

rules.run();
