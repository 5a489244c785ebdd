// timeout: 180s
// Marked names, addresses and secrets pass through every flow of the real process. Afterwards none of them may be in a
// log line, a job, a table that is not meant for them, an error, or a response to an unauthorized user.
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { useDatabase } from '../harness/database.ts';
import { type HttpClient, httpClient, type Reply } from '../harness/fetch.ts';
import { nodeArgv } from '../harness/programs.ts';

const database = useDatabase(test);
const canary = {
  name: 'كناري الأصفر',
  email: 'canary.person@example.org',
  password: 'canary-password-8471',
  otherPassword: 'canary-second-5523',
  externalId: 'canary-ext-77',
};
/** Filled during the test with tokens and codes that the service issues. */
const secrets: string[] = [];
const errors: Reply[] = [];
const strangers: Reply[] = [];

let service: ChildProcess;
let output = '';
let client: HttpClient;
let dataDir: string;

test.before(async () => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'canary-'));
  const { REDIS_URL: _redis, ...inherited } = process.env;
  const env = {
    ...inherited,
    PORT: '0',
    SEED_DEMO: 'false',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'trace',
    WORKERS: 'embedded',
  };
  service = spawn(process.execPath, nodeArgv('src/main.ts'), { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
  };
  service.stdout?.on('data', collect);
  service.stderr?.on('data', collect);
  const address = await addressOf(service);
  client = httpClient(() => address);
});

test.after(async () => {
  const gone = new Promise((resolve) => service.once('exit', resolve));
  service.kill('SIGTERM');
  await gone;
  fs.rmSync(dataDir, { recursive: true, force: true });
});

async function addressOf(child: ChildProcess): Promise<string> {
  for (let tries = 0; tries < 600; tries++) {
    const address = /ready at (http:\S+)/.exec(output)?.[1];
    if (address !== undefined) return address;
    if (child.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the service did not start: ${output.slice(-3000)}`);
}

interface Made {
  readonly id: string;
  readonly quickCode: string;
  readonly tokens: Tokens;
}
interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

async function must<Body = Made>(reply: Promise<Reply<Body>>): Promise<Body> {
  const { status, body } = await reply;
  assert.ok(status < 300, JSON.stringify(body));
  return body;
}

const post = <Body = Made>(address: string, body: unknown, token?: string) =>
  must<Body>(client.post<Body>(address, body, token === undefined ? {} : { token }));

async function login(email: string, password: string): Promise<string> {
  const tokens = await post<Tokens>('/api/auth/login', { email, password });
  secrets.push(tokens.accessToken, tokens.refreshToken);
  return tokens.accessToken;
}

test('canaries go through sign-in, people, codes, export, erasure and every kind of refusal', async () => {
  const { name, email, password, otherPassword, externalId } = canary;
  const root = { email: `root.${email}`, password, fullNameAr: name, primaryPersona: 'ADMIN' };
  const { tokens } = await post('/api/auth/register', root);
  secrets.push(tokens.accessToken, tokens.refreshToken);
  const token = tokens.accessToken;
  const [own, other] = [await organization(token, 'own'), await organization(token, 'other')];
  const person = { fullNameAr: name, organizationId: own.id };
  await post('/api/users', { ...person, primaryPersona: 'TEACHER', email, password, classIds: [own.classId] }, token);
  const child = { ...person, primaryPersona: 'STUDENT', classId: own.classId, externalId };
  const student = await post('/api/users', child, token);
  secrets.push(student.quickCode);
  const { accessToken } = await post<Tokens>('/api/auth/quickcode', { quickCode: student.quickCode });
  secrets.push(accessToken);
  const teacher = await login(email, password);
  await refusals(teacher, student.id);
  const change = { currentPassword: password, newPassword: otherPassword };
  await must(client.patch('/api/auth/password', change, { token: teacher }));
  await must(client.get(`/api/students/${student.id}/data-export`, { token }));
  await keyedCode(student.id, teacher);
  await listEverything(other.id, token);
  await post(`/api/students/${student.id}/erasure`, undefined, token);
  await new Promise((resolve) => setTimeout(resolve, 1500));
});

async function organization(token: string, slug: string): Promise<{ id: string; classId: number }> {
  const body = { name: slug, slug: `${slug}-schools`, country: 'SA', defaultLocale: 'ar' };
  const { id } = await post('/api/organizations', body, token);
  const school = await post('/api/schools', { organizationId: id, name: 'School', country: 'SA' }, token);
  const row = { schoolId: school.id, name: '1A', grade: 1, academicYear: '2025-2026' };
  return { id, classId: Number((await post('/api/classes', row, token)).id) };
}

/** Sends invalid requests of every known kind, with canaries in every part of a request. */
async function refusals(token: string, studentId: string): Promise<void> {
  const { name, email, password, otherPassword } = canary;
  const mark = encodeURIComponent(email);
  errors.push(
    await client.post('/api/auth/login', { email, password: otherPassword }),
    // Details name the fields of the request: a canary that is a field name may be returned.
    await client.post('/api/auth/login', { email, password, extra: name }),
    await client.post('/api/auth/login', { email: [email], password: { password } }),
    await client.post('/api/auth/login', undefined, {
      bytes: `{"email":"${email}","password":"${password}`,
      headers: {},
    }),
    await client.post('/api/auth/register', { email, password }),
    await client.post('/api/auth/refresh', { refreshToken: password }),
    await client.post('/api/auth/quickcode', { quickCode: password }),
    await client.get(`/api/unknown/${mark}?email=${mark}`, { token }),
    await client.get(`/api/classes/${mark}`, { token }),
    await client.get(`/api/classes?cursor=${mark}`, { token }),
    await client.get('/api/auth/me', { token: `${password}.${otherPassword}.x` }),
    await client.get('/api/auth/me', { headers: { 'x-request-id': `${email} ${password}` } }),
    await client.post('/api/users', { email, password, fullNameAr: name }, { token }),
    await client.post(`/api/students/${studentId}/erasure`, { email }, { token }),
    await client.get(`/api/auth/google/callback?state=${mark}&code=${mark}`),
    await client.post('/api/auth/google/exchange', { code: password }),
  );
  for (const { status, body } of errors) assert.ok(status >= 400, JSON.stringify(body));
}

async function keyedCode(studentId: string, token: string): Promise<void> {
  const headers = { 'idempotency-key': 'canary-key' };
  const issued = await must(client.post<Made>(`/api/students/${studentId}/quick-code`, undefined, { token, headers }));
  secrets.push(issued.quickCode);
}

/** An administrator of another organization requests every list. */
async function listEverything(organizationId: string, token: string): Promise<void> {
  const stranger = { email: 'stranger@example.org', password: 'a foreign secret' };
  await post('/api/users', { ...stranger, primaryPersona: 'ADMIN', fullNameAr: 'غريب', organizationId }, token);
  const session = await post<Tokens>('/api/auth/login', stranger);
  for (const address of ['users', 'classes', 'schools', `organizations/${organizationId}/audit`, 'auth/me']) {
    strangers.push(await client.get(`/api/${address}`, { token: session.accessToken }));
  }
  for (const { status } of strangers) assert.is(status, 200);
}

const marks = () => [...Object.values(canary), ...secrets];

function assertClean(text: string, where: string): void {
  for (const mark of marks()) assert.not.ok(text.includes(mark), `${where} holds ${mark}`);
}

test('the service logged something, and no canary', () => {
  assert.match(output, '"operation":"createUser"');
  assert.ok(secrets.length >= 6);
  assertClean(output, 'the log');
});

test('errors do not repeat the input', () => {
  assertClean(JSON.stringify(errors.map(({ body, headers }) => [body, [...headers]])), 'an error');
});

test('responses to another organization contain no canary', () => {
  assertClean(JSON.stringify(strangers.map(({ body }) => body)), 'a stranger’s answer');
});

/**
 * Names and addresses are stored in app_user, and addresses also in the look-up for sign-in. Every secret is stored as
 * a hash, and no other table contains any of them.
 */
test('no table has a secret, only app_user has names, and only it and the look-up have addresses', async () => {
  const { rows } = await database.owner.raw(`
    select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
    where schemaname in ('public', 'bullmq')`);
  assert.ok(rows.length > 20);
  for (const { name } of rows as { name: string }[]) {
    const stored = await database.owner.raw(`select coalesce(json_agg(t)::text, '') as text from ${name} t`);
    const text: string = stored.rows[0].text;
    if (name === 'public.app_user') {
      for (const secret of [canary.password, canary.otherPassword, ...secrets]) assert.not.ok(text.includes(secret));
      assert.not.ok(text.includes(canary.externalId), 'the erased child');
    } else if (name === 'public.sign_in_name') assertClean(text.replaceAll(canary.email, ''), name);
    else assertClean(text, name);
  }
});

test.run();
