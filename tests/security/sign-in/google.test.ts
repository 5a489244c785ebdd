// Sign-in with Google from the first redirect to the tokens, against a real OpenID provider.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildOrganization, buildSuperAdmin, buildUser, type UserRow } from '../../harness/factories.ts';
import type { Reply } from '../../harness/fetch.ts';
import { useApp } from '../../harness/http.ts';
import { codeOf, inParallel, noGeneralLimits, tally } from '../support.ts';
import { googleFlow, verified } from './google-flow.ts';
import { googleSettings, startProvider } from './provider.ts';

const provider = await startProvider();
const google = suite('google');
const app = useApp(google, {
  settings: {
    ...noGeneralLimits,
    ...googleSettings(provider),
  },
});
let teacher: UserRow;

google.before.each(async () => {
  await owner('external_identity').delete();
  teacher = await buildUser(app.database.owner, 'TEACHER');
  provider.people.clear();
  provider.failWith = undefined;
});
google.after(() => provider.close());

const owner = app.database.owner;

const { start, comeBackAs, finish, outcome, exchange } = googleFlow(app, provider);
const parameterOf = (reply: Reply, name: string) => new URL(reply.headers.get('location') ?? '').searchParams.get(name);

google('the whole flow: start, provider, callback, exchange, me', async () => {
  provider.people.set('s1', verified(teacher.email));
  const code = (await outcome('s1')).get('code');
  const { status, body } = await exchange(code);
  assert.is(status, 200);
  const tokens = body as { accessToken: string; tokenType: string; expiresIn: number };
  assert.equal([tokens.tokenType, tokens.expiresIn], ['Bearer', 900]);
  const me = await app.get<{ id: number }>('/api/auth/me', { token: tokens.accessToken });
  assert.is(me.body.id, teacher.id);
});

google('start requests a code with state, nonce and PKCE S256', async () => {
  const { searchParams } = new URL((await start()).url);
  assert.is(searchParams.get('response_type'), 'code');
  assert.is(searchParams.get('code_challenge_method'), 'S256');
  for (const name of ['state', 'nonce', 'code_challenge']) assert.ok((searchParams.get(name) ?? '').length >= 43, name);
});

google('returnTo is returned; one of another host is refused', async () => {
  provider.people.set('s1', verified(teacher.email));
  const reply = await finish(await comeBackAs('s1', '?returnTo=/classes/1'));
  assert.is(parameterOf(reply, 'returnTo'), '/classes/1');
  for (const wrong of ['https://evil.example', '//evil.example', '/\\evil.example', 'classes']) {
    assert.is((await app.get(`/api/auth/google/start?returnTo=${encodeURIComponent(wrong)}`)).status, 422, wrong);
  }
});

google('a state is used once, even in simultaneous requests', async () => {
  provider.people.set('s1', verified(teacher.email));
  const callback = await comeBackAs('s1');
  assert.equal(tally(await inParallel(20, () => finish(callback))), { '302': 1, '401 STATE_EXPIRED': 19 });
});

google('a missing or unknown state: 401 STATE_EXPIRED, without a request to the provider', async () => {
  const { cookie } = await start();
  const before = provider.requests;
  for (const query of ['', '?code=x', '?state=stranger&code=x']) {
    const reply = await app.get(`/api/auth/google/callback${query}`, { headers: { cookie } });
    assert.equal([reply.status, codeOf(reply)], [401, 'STATE_EXPIRED']);
  }
  assert.is(provider.requests, before);
});

google('a state that is ten minutes old: the frontend gets STATE_EXPIRED', async () => {
  provider.people.set('s1', verified(teacher.email));
  const callback = await comeBackAs('s1');
  app.clock.advance(10 * 60_000);
  const reply = await finish(callback);
  assert.is(parameterOf(reply, 'error'), 'STATE_EXPIRED');
  assert.is((await finish(callback)).status, 401, 'it is consumed all the same');
});

google('a code that the provider did not issue: TOKEN_INVALID', async () => {
  provider.people.set('s1', verified(teacher.email));
  const callback = await comeBackAs('s1');
  callback.url.searchParams.set('code', 'forged');
  const reply = await finish(callback);
  assert.is(parameterOf(reply, 'error'), 'TOKEN_INVALID');
});

google('an id token for another nonce: TOKEN_INVALID', async () => {
  provider.people.set('s1', verified(teacher.email));
  const callback = await comeBackAs('s1');
  await owner('google_state').update({ nonce: 'another' });
  const reply = await finish(callback);
  assert.is(parameterOf(reply, 'error'), 'TOKEN_INVALID');
});

google('declined at the provider: PERMISSION_DENIED', async () => {
  const { url, cookie } = await start();
  const state = new URL(url).searchParams.get('state');
  const back = new URL(`/api/auth/google/callback?state=${state}&error=access_denied`, url);
  const reply = await finish({ url: back, cookie });
  assert.is(parameterOf(reply, 'error'), 'PERMISSION_DENIED');
});

google('a handoff code works once and for 60 seconds', async () => {
  provider.people.set('s1', verified(teacher.email));
  const code = (await outcome('s1')).get('code');
  assert.equal(tally(await inParallel(20, () => exchange(code))), { '200': 1, '401 STATE_EXPIRED': 19 });
  const late = (await outcome('s1')).get('code');
  app.clock.advance(60_000);
  assert.is(codeOf(await exchange(late)), 'STATE_EXPIRED');
});

google('the verifier is stored encrypted, state and handoff code as hashes', async () => {
  provider.people.set('s1', verified(teacher.email));
  const { url, cookie } = await start();
  const state = new URL(url).searchParams.get('state') ?? '';
  const code = (await outcome('s1')).get('code') ?? '';
  const rows = JSON.stringify([await owner('google_state').select('*'), await owner('handoff_code').select('*')]);
  assert.not.match(rows, state);
  assert.not.match(rows, code);
  assert.not.match(rows, cookie.split('=')[1] ?? '');
});

google('no account is created: unknown, unverified, inactive, or a student by e-mail', async () => {
  const { owner: db } = app.database;
  const inactive = await buildUser(db, 'TEACHER', { status: 'inactive' });
  const student = await buildUser(db, 'STUDENT', { email: 'pupil@example.org' });
  provider.people.set('unknown', verified('stranger@example.org'));
  provider.people.set('unverified', { email: teacher.email ?? '', email_verified: false });
  provider.people.set('inactive', verified(inactive.email));
  provider.people.set('student', verified(student.email));
  for (const subject of ['unknown', 'unverified', 'inactive', 'student']) {
    assert.is((await outcome(subject)).get('error'), 'PERMISSION_DENIED', subject);
  }
});

google('a link from a roster import precedes the e-mail address, and a student can sign in', async () => {
  const { owner: db } = app.database;
  const student = await buildUser(db, 'STUDENT');
  const { organizationId, id: userId } = student;
  await db('external_identity').insert({
    organizationId,
    userId,
    provider: 'google',
    subject: 'linked',
    createdAt: app.clock.now(),
  });
  provider.people.set('linked', verified(teacher.email));
  const { body } = await exchange((await outcome('linked')).get('code'));
  const me = await app.get<{ id: number }>('/api/auth/me', { token: (body as { accessToken: string }).accessToken });
  assert.is(me.body.id, userId);
});

google(
  'domains: an empty list accepts any, `hd` decides, or the provider’s own mail domain; SUPER is not bound',
  async () => {
    const { owner: db } = app.database;
    const organizationId = (await buildOrganization(db, { allowedGoogleDomains: ['school.example'] })).id;
    const bound = await buildUser(db, 'TEACHER', { organizationId, email: 'bound@school.example' });
    const outside = await buildUser(db, 'TEACHER', { organizationId, email: 'outside@gmail.com' });
    const superAdmin = await buildSuperAdmin(db);
    provider.people.set('inside', verified(bound.email));
    provider.people.set('wrong-hd', verified(bound.email, { hd: 'other.example' }));
    provider.people.set('right-hd', verified(outside.email, { hd: 'school.example' }));
    provider.people.set('outside', verified(outside.email, { hd: undefined }));
    provider.people.set('super', verified(superAdmin.email));
    assert.ok((await outcome('inside')).has('code'));
    assert.is((await outcome('wrong-hd')).get('error'), 'PERMISSION_DENIED');
    assert.is((await outcome('outside')).get('error'), 'PERMISSION_DENIED');
    assert.ok((await outcome('right-hd')).has('code'));
    assert.ok((await outcome('super')).has('code'));
  },
);

google('the provider is down between the redirects: 503 with retryAfter', async () => {
  provider.people.set('s1', verified(teacher.email));
  const callback = await comeBackAs('s1');
  provider.failWith = 500;
  const reply = await finish(callback);
  assert.equal([reply.status, codeOf(reply)], [503, 'ENGINE_UNAVAILABLE']);
});

google.run();

const unconfigured = suite('not configured');
const bare = useApp(unconfigured);

unconfigured('start: 503; the callback without a valid state: 401 STATE_EXPIRED all the same', async () => {
  assert.is(codeOf(await bare.get('/api/auth/google/start')), 'ENGINE_UNAVAILABLE');
  const reply = await bare.get('/api/auth/google/callback?state=x&code=y');
  assert.equal([reply.status, codeOf(reply)], [401, 'STATE_EXPIRED']);
});

unconfigured.run();

const unreachable = suite('provider down');
const cut = useApp(unreachable, {
  settings: { GOOGLE_ISSUER: 'http://127.0.0.1:9', GOOGLE_CLIENT_ID: 'x', GOOGLE_CLIENT_SECRET: 'y' },
});

unreachable('start: 503 with retryAfter', async () => {
  const reply = await cut.get('/api/auth/google/start');
  assert.equal([reply.status, codeOf(reply)], [503, 'ENGINE_UNAVAILABLE']);
  assert.ok(reply.headers.has('retry-after'));
});

unreachable.run();
