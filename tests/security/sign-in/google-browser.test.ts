// A sign-in with Google ends in the browser, at the frontend and for the person that started it.
import { createHash, randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildOrganization, buildSuperAdmin, buildUser, signIn, type UserRow } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { codeOf, inParallel, noGeneralLimits, tally } from '../support.ts';
import { googleFlow, verified } from './google-flow.ts';
import { googleSettings, startProvider } from './provider.ts';

const provider = await startProvider();
const client = {
  ...noGeneralLimits,
  ...googleSettings(provider),
};

const loopback = suite('on loopback');
const app = useApp(loopback, { settings: { ...client, PORT: '3456' } });
const { owner } = app.database;
const flow = googleFlow(app, provider);
let teacher: UserRow;

loopback.before.each(async () => {
  await owner('external_identity').delete();
  teacher = await buildUser(owner, 'TEACHER');
  provider.people.clear();
  provider.people.set('s1', verified(teacher.email));
});

const meOf = async (code: string | null): Promise<number> => {
  const { body } = await flow.exchange(code);
  const me = await app.get<{ id: number }>('/api/auth/me', { token: (body as { accessToken: string }).accessToken });
  return me.body.id;
};

loopback('a callback in another browser: 401 STATE_EXPIRED, and the right browser can still sign in', async () => {
  const back = await flow.comeBackAs('s1');
  const strangers = ['', 'signin=', `signin=${randomBytes(32).toString('base64url')}`, (await flow.start()).cookie];
  for (const cookie of strangers) {
    const reply = await flow.finish({ ...back, cookie });
    assert.equal([reply.status, codeOf(reply)], [401, 'STATE_EXPIRED'], cookie);
  }
  assert.is((await flow.finish(back)).status, 302);
  assert.is((await flow.finish(back)).status, 401, 'once');
});

loopback('each of the two names suffices, and other cookies do not matter', async () => {
  for (const name of ['__Host-signin', 'signin']) {
    const back = await flow.comeBackAs('s1');
    const pair = back.cookie.split('; ').find((one) => one.startsWith(`${name}=`));
    assert.is((await flow.finish({ ...back, cookie: `a=b; ${pair}; c` })).status, 302, name);
  }
});

loopback('the cookie is valid for ten minutes and HttpOnly; on plain loopback it is not Secure', async () => {
  const { lines } = await flow.start();
  const secret = lines[0]?.split(/[=;]/)[1] ?? '';
  assert.ok(secret.length >= 43);
  const rest = 'Path=/; Max-Age=600; HttpOnly; SameSite=Lax';
  assert.equal(lines, [`__Host-signin=${secret}; ${rest}`, `signin=${secret}; ${rest}`]);
});

loopback(
  'without PUBLIC_URL the provider redirects to the address of the service, whatever the Host header',
  async () => {
    const { url } = await flow.start('', { host: 'evil.example', 'x-forwarded-proto': 'https' });
    assert.is(new URL(url).searchParams.get('redirect_uri'), 'http://127.0.0.1:3456/api/auth/google/callback');
  },
);

const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');

loopback('with a handoffChallenge the code is refused without its verifier', async () => {
  const code = (await flow.outcome('s1', `?handoffChallenge=${challenge}`)).get('code');
  for (const wrong of [undefined, 'x'.repeat(43), challenge]) {
    const reply = await flow.exchange(code, wrong);
    assert.equal([reply.status, codeOf(reply)], [401, 'STATE_EXPIRED'], wrong);
  }
  const replies = await inParallel(10, () => flow.exchange(code, verifier));
  assert.equal(tally(replies), { '200': 1, '401 STATE_EXPIRED': 9 });
});

loopback('a verifier without an announced challenge: STATE_EXPIRED', async () => {
  const code = (await flow.outcome('s1')).get('code');
  assert.is(codeOf(await flow.exchange(code, verifier)), 'STATE_EXPIRED');
  assert.is((await flow.exchange(code)).status, 200);
});

loopback('a challenge or verifier of another format is 422', async () => {
  for (const wrong of ['short', `${challenge}=`, `${challenge}x`, '+'.repeat(43)]) {
    const reply = await app.get(`/api/auth/google/start?handoffChallenge=${encodeURIComponent(wrong)}`);
    assert.is(reply.status, 422, wrong);
  }
  assert.is((await flow.exchange('x', 'short')).status, 422);
});

loopback('the subject is stored: an address that the provider gives to another person does not sign in', async () => {
  assert.is(await meOf((await flow.outcome('s1')).get('code')), teacher.id);
  provider.people.set('heir', verified(teacher.email));
  assert.is((await flow.outcome('heir')).get('error'), 'PERMISSION_DENIED');
  provider.people.set('s1', verified('renamed@example.org'));
  assert.is(await meOf((await flow.outcome('s1')).get('code')), teacher.id, 'the subject stays the same person');
});

loopback('six first sign-ins at once with two subjects: one subject is stored', async () => {
  provider.people.set('s2', verified(teacher.email));
  const outcomes: string[] = [];
  const backs = [];
  for (let at = 0; at < 6; at += 1)
    backs.push({ subject: at % 2 ? 's2' : 's1', back: await flow.comeBackAs(at % 2 ? 's2' : 's1') });
  await Promise.all(
    backs.map(async ({ subject, back }) => {
      const reply = await flow.finish(back);
      if (new URL(reply.headers.get('location') ?? '').searchParams.has('code')) outcomes.push(subject);
    }),
  );
  assert.is(new Set(outcomes).size, 1);
  assert.is(outcomes.length, 3);
  assert.is((await owner('external_identity').where({ userId: teacher.id })).length, 1);
});

loopback('a SUPER’s subject is stored too, and a link to a closed account is refused', async () => {
  const superAdmin = await buildSuperAdmin(owner);
  provider.people.set('boss', verified(superAdmin.email));
  assert.is(await meOf((await flow.outcome('boss')).get('code')), superAdmin.id);
  provider.people.set('heir', verified(superAdmin.email));
  assert.is((await flow.outcome('heir')).get('error'), 'PERMISSION_DENIED');
  await owner('app_user').where({ id: superAdmin.id }).update({ status: 'inactive' });
  provider.people.set('boss', verified(teacher.email));
  assert.is((await flow.outcome('boss')).get('error'), 'PERMISSION_DENIED');
});

loopback('an administrator who corrects an address deletes the subject of the old one', async () => {
  const { organizationId } = teacher;
  await flow.outcome('s1');
  const admin = await signIn(app, await buildUser(owner, 'ADMIN', { organizationId }));
  const email = 'right.person@example.org';
  assert.is((await app.patch(`/api/users/${teacher.id}`, { email }, { token: admin })).status, 200);
  assert.is((await flow.outcome('s1')).get('error'), 'PERMISSION_DENIED');
  provider.people.set('right', verified(email));
  assert.is(await meOf((await flow.outcome('right')).get('code')), teacher.id);
});

loopback(
  'a verified address counts with `hd`, or at the provider’s own mail; other addresses could have been verified by anyone',
  async () => {
    const organizationId = (await buildOrganization(owner)).id;
    const own = await buildUser(owner, 'TEACHER', { organizationId, email: `own${Date.now()}@gmail.com` });
    provider.people.set('no-hd', verified(teacher.email, { hd: undefined }));
    provider.people.set('own', verified(own.email, { hd: undefined }));
    provider.people.set('unverified', verified(own.email, { email_verified: false }));
    assert.is((await flow.outcome('no-hd')).get('error'), 'PERMISSION_DENIED');
    assert.is((await flow.outcome('unverified')).get('error'), 'PERMISSION_DENIED');
    assert.ok((await flow.outcome('own')).has('code'));
  },
);

loopback.run();

const outside = suite('behind PUBLIC_URL');
const proxied = useApp(outside, { settings: { ...client, PUBLIC_URL: 'https://api.example.org/literacy/' } });

outside('the cookie is Secure and has one name; the provider redirects to PUBLIC_URL', async () => {
  const { lines, url } = await googleFlow(proxied, provider).start();
  assert.is(lines.length, 1);
  assert.match(lines[0] ?? '', /^__Host-signin=[\w-]{43,}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/);
  const expected = 'https://api.example.org/literacy/api/auth/google/callback';
  assert.is(new URL(url).searchParams.get('redirect_uri'), expected);
});

outside('the plain name, which another site on the domain could set, is ignored', async () => {
  const there = googleFlow(proxied, provider);
  const back = await there.comeBackAs('s1');
  const plain = { ...back, cookie: back.cookie.replace('__Host-signin', 'signin') };
  assert.is(codeOf(await there.finish(plain)), 'STATE_EXPIRED');
  assert.is((await there.finish(back)).status, 302);
});

outside.run();

const forged = suite('wrong signature');
const victim = useApp(forged, { settings: client });

forged('an ID token that is signed by another key: TOKEN_INVALID', async () => {
  const there = googleFlow(victim, provider);
  const person = await buildUser(victim.database.owner, 'TEACHER');
  provider.people.set('s1', verified(person.email));
  provider.publishForeignKey = true;
  assert.is((await there.outcome('s1')).get('error'), 'TOKEN_INVALID');
});

forged.after(() => provider.close());
forged.run();
