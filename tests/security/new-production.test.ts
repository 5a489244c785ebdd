// A new production system from its first request on, over HTTP: one SUPER administrator serves a school that changes no
// rule, and a rule change needs two.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Reply } from '../harness/fetch.ts';
import { useApp } from '../harness/http.ts';
import { codeAt } from '../identity/people/second-factor/totp-codes.ts';
import { codeOf, noGeneralLimits } from './support.ts';

const bootstrapToken = 'a token of thirty-two characters';
const waitHours = 72;
const app = useApp(test, {
  rules: true,
  settings: {
    ...noGeneralLimits,
    NODE_ENV: 'production',
    TOKEN_SIGNING_KEY: 'unused',
    TOKEN_ENCRYPTION_KEY: 'unused',
    IP_HASH_SALT: 'sixteen characters and more',
    BOOTSTRAP_TOKEN: bootstrapToken,
    APPROVER_WAIT_HOURS: String(waitHours),
  },
});

type Body = Record<string, unknown> & { details?: { issue: string; args?: { until: string } }[] };

const issueOf = ({ body }: Reply<Body>) => body.details?.[0]?.issue;
const post = (path: string, body: object, token?: string) =>
  app.post<Body>(path, body, token === undefined ? {} : { token });

async function created(path: string, body: object, token: string): Promise<Body> {
  const reply = await post(path, body, token);
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

/** Enrolls and confirms a second factor. Returns the secret. */
async function withFactor(password: string, token: string): Promise<string> {
  const begun = await post('/api/auth/totp/enroll', { password }, token);
  assert.is(begun.status, 200, JSON.stringify(begun.body));
  const code = codeAt(String(begun.body.secret), app.clock.now());
  assert.is((await post('/api/auth/totp/confirm', { code }, token)).status, 200);
  return String(begun.body.secret);
}

async function signedIn(email: string, password: string, secret?: string): Promise<string> {
  const totp = secret === undefined ? {} : { totp: codeAt(secret, app.clock.now()) };
  const reply = await post('/api/auth/login', { email, password, ...totp });
  assert.is(reply.status, 200, JSON.stringify(reply.body));
  return String(reply.body.accessToken);
}

const first = { email: 'first@ministry.example', password: 'quiet-harbour-violet', fullNameAr: 'الأولى' };
const second = { email: 'second@ministry.example', password: 'violet-harbour-quiet', fullNameAr: 'الثانية' };
const organization = { name: 'School', slug: 'first-school', country: 'SA', defaultLocale: 'ar' };
const cell = { country: 'SA', grade: 2, measureCode: 'ORF_WCPM', season: 'BOY' };
const benchmark = { ...cell, cuts: { meets: 60, approaching: 40, below: 20 }, source: 'A norm.', titleAr: 'معيار' };
const profiles = '/api/admin/benchmark-profiles';

test('register, enroll, confirm, organization, ADMIN, second SUPER; the second one enrolls, waits, approves', async () => {
  const registration = { ...first, primaryPersona: 'ADMIN' };
  assert.is((await post('/api/auth/register', registration)).status, 403, 'not without the bootstrap token');
  const headers = { 'x-bootstrap-token': bootstrapToken };
  const registered = await app.post<{ tokens: { accessToken: string } }>('/api/auth/register', registration, {
    headers,
  });
  assert.is(registered.status, 201, JSON.stringify(registered.body));
  const token = registered.body.tokens.accessToken;
  assert.is(issueOf(await post('/api/organizations', organization, token)), 'second_factor_required');
  const secret = await withFactor(first.password, token);

  const { id: organizationId } = await created('/api/organizations', organization, token);
  const school = { primaryPersona: 'ADMIN', fullNameAr: 'المديرة', organizationId };
  const admin = { email: 'admin@school.example', password: 'harbour-quiet-violet' };
  await created('/api/users', { ...school, ...admin }, token);
  const adminToken = await signedIn(admin.email, admin.password);
  await created('/api/schools', { organizationId, name: 'First', country: 'SA' }, adminToken);
  const inForce = await app.get<{ status: string }>(
    '/api/standards/benchmark-profiles/resolve?country=SA&grade=2&measureCode=ORF_WCPM&season=BOY',
    { token: adminToken },
  );
  assert.equal([inForce.status, inForce.body.status], [200, 'active'], 'those of the release are in force at once');

  await created('/api/users', { ...second, primaryPersona: 'ADMIN', scope: 'SUPER' }, token);
  const other = await signedIn(second.email, second.password);
  assert.is(issueOf(await post(profiles, benchmark, other)), 'second_factor_required');
  const otherSecret = await withFactor(second.password, other);

  const { id } = await created(profiles, benchmark, token);
  assert.is((await post(`${profiles}/${id}/publish`, {}, token)).status, 200);
  assert.is(issueOf(await post(`${profiles}/${id}/activate`, {}, token)), 'approver_not_independent');
  const early = await post(`${profiles}/${id}/activate`, {}, other);
  assert.is(issueOf(early), 'approver_too_new');
  const until = new Date(early.body.details?.[0]?.args?.until ?? '');
  app.clock.set(until);
  const later = await signedIn(second.email, second.password, otherSecret);
  assert.is((await post(`${profiles}/${id}/activate`, {}, later)).status, 200);

  const lost = await post('/api/auth/login', { email: first.email, password: first.password });
  assert.is(codeOf(lost), 'SECOND_FACTOR_REQUIRED');
  const repeated = await signedIn(first.email, first.password, secret);
  assert.is((await app.get('/api/organizations', { token: repeated })).status, 200);
});

test.run();
