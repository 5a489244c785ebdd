// timeout: 180s
// Removes one by one the guards around every route.
import { connect } from 'node:net';
import express from 'express';
import Type, { type TSchema } from 'typebox';
import { test } from 'uvu';
import type { Answer } from '#core/http/answers.ts';
import { BodyBudget } from '#core/http/checks/body-budget.ts';
import { newId } from '#core/platform/ids.ts';
import { openLimits } from '#core/platform/limits/limits.ts';
import { createLogger } from '#core/platform/process/logger.ts';
import { buildUser, signIn } from '../../harness/factories.ts';
import type { HttpClient } from '../../harness/fetch.ts';
import { useApp } from '../../harness/http.ts';
import { buildWorld, type World } from '../../harness/world.ts';
import { from, inParallel, noGeneralLimits } from '../support.ts';
import { type Change, type Fault, only, plant, withGuards } from './harness.ts';

const app = useApp(test, { settings: noGeneralLimits, ownRoutes: true });
const { owner } = app.database;
const log = createLogger('silent');
const limitsWith = (redisUrl?: string) =>
  openLimits({ db: app.database.app, redisUrl, userPerMinute: 20, addressPerMinute: 20, log });
const fewRequests: Change = { wiring: withGuards({ limits: limitsWith() }) };
/** No process listens on this port. */
const limiterAway = limitsWith('redis://127.0.0.1:9');
let world: World;

test.before(async () => {
  world = await buildWorld(app);
});

test.after(() => limiterAway.close());

const admin = () => world.own.people.ADMIN;
const asAdmin = () => ({ token: admin().token });
const newSchool = (name: string) => ({ organizationId: world.own.organizationId, name, country: 'SA' });

const silenceMs = 5_000;

/** Returns the response to raw bytes on a new connection, or '' when nothing arrives within the time limit. */
function answerTo(url: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  return new Promise((resolve, reject) => {
    let text = '';
    const end = () => {
      socket.destroy();
      resolve(text);
    };
    const silence = setTimeout(end, silenceMs);
    socket.on('error', reject).on('data', (chunk) => {
      text += chunk;
    });
    socket.on('close', () => {
      clearTimeout(silence);
      resolve(text);
    });
    socket.write(bytes);
  });
}

const sendsManyAs = async (client: HttpClient, address: (index: number) => string) => {
  const send = (index: number) => client.get('/api/demo/access', { headers: from(address(index)) });
  return (await inParallel(25, send)).some(({ status }) => status === 429);
};

const schoolsMade = async (client: HttpClient, name: string, times: number, between?: () => Promise<unknown>) => {
  const headers = { 'idempotency-key': newId() };
  for (let time = 0; time < times; time++) {
    if (time > 0) await between?.();
    await client.post('/api/schools', newSchool(name), { ...asAdmin(), headers });
  }
  return owner('school').where({ name });
};

const withoutLengths = (schema: TSchema | undefined): TSchema =>
  JSON.parse(JSON.stringify(schema), (key, value) => (key === 'maxLength' ? undefined : value));

const faults: readonly Fault[] = [
  {
    name: 'the presenter, with the schema of its answer',
    holds: async (client) => {
      const { body } = await client.get<object>(`/api/users/${admin().id}`, asAdmin());
      return !('passwordHash' in body);
    },
    without: { routes: only('getUser', (route) => ({ ...route, answers: { 200: Type.Unknown() }, run: rawRow })) },
  },
  {
    name: 'the presenter alone: the response schema still removes the field',
    holds: async (client) => (await client.get(`/api/users/${admin().id}`, asAdmin())).status === 200,
    without: { routes: only('getUser', (route) => ({ ...route, run: rawRow })) },
  },
  {
    name: 'the general limit of a user',
    holds: async (client) => {
      const token = await signIn(app, await buildUser(owner, 'TEACHER'));
      const replies = await inParallel(25, () => client.get('/api/auth/me', { token }));
      return replies.some(({ status }) => status === 429);
    },
    given: fewRequests,
    without: { routes: only('getMe', (route) => ({ ...route, limit: 'none' })) },
  },
  {
    name: 'the general limit of an address on a public route',
    holds: (client) => sendsManyAs(client, () => '192.0.2.10'),
    given: fewRequests,
    without: { routes: only('getDemoAccess', (route) => ({ ...route, limit: 'none' })) },
  },
  {
    name: 'the client address of the trusted proxy (a forged one counts)',
    holds: (client) => sendsManyAs(client, (index) => `10.0.0.${index}, 192.0.2.11`),
    given: fewRequests,
    without: { wiring: (parts) => ({ ...parts, trustProxy: 2 }) },
  },
  {
    name: 'addresses stored as hashes only',
    holds: async (client) => {
      await client.get('/api/demo/access', { headers: from('192.0.2.12') });
      return !JSON.stringify(await owner('rate_limit')).includes('192.0.2.12');
    },
    without: { wiring: withGuards({ addressHash: (clientIp) => clientIp }) },
  },
  {
    name: 'the refusal of guesses while no store counts them',
    holds: async (client) =>
      (await client.post('/api/auth/login', { email: 'nobody@example.org', password: 'wrong' })).status === 503,
    given: { wiring: withGuards({ limits: limiterAway }) },
    without: { routes: only('login', (route) => ({ ...route, limit: 'open' })) },
  },
  {
    name: 'the check of Idempotency-Key',
    holds: async (client) => (await schoolsMade(client, newId(), 2)).length === 1,
    without: { wiring: ({ guards: _none, ...parts }) => parts },
  },
  {
    name: 'the maximum age of a stored response',
    holds: async (client) => {
      const longAgo = () => owner('idempotent_answer').update({ keptAt: '2020-01-01' });
      return (await schoolsMade(client, newId(), 2, longAgo)).length === 2;
    },
    without: { wiring: withGuards({ answersStoredSince: async () => new Date(0) }) },
  },
  {
    name: 'the encryption of stored responses',
    holds: async (client) => {
      const name = newId();
      await schoolsMade(client, name, 1);
      return !JSON.stringify(await owner('idempotent_answer').select('encryptedAnswer')).includes(name);
    },
    without: { wiring: withGuards({ cipher: { encrypt: (text) => text, decrypt: (text) => text } }) },
  },
  {
    name: 'a read that may not write',
    holds: async (client) => (await client.get('/api/auth/me', asAdmin())).status === 500,
    given: {
      routes: only('getMe', (route) => ({ ...route, answers: { 204: Type.Null() }, run: writesInstead })),
    },
    without: { routes: only('getMe', (route) => ({ ...route, readOnly: false })) },
  },
  {
    name: 'the most bytes of a body',
    holds: async (client) => {
      const bytes = JSON.stringify(newSchool(newId())) + ' '.repeat(300 * 1024);
      return (await client.post('/api/schools', undefined, { ...asAdmin(), bytes })).status === 422;
    },
    without: { routes: only('createSchool', (route) => ({ ...route, bodyLimitBytes: 1e9 })) },
  },
  {
    name: 'the budget that all bodies share',
    holds: async (client) => (await client.post('/api/schools', newSchool(newId()), asAdmin())).status === 503,
    given: { wiring: (parts) => ({ ...parts, bodyBudget: new BodyBudget(16) }) },
    without: { wiring: (parts) => ({ ...parts, bodyBudget: new BodyBudget(Number.MAX_SAFE_INTEGER) }) },
  },
  {
    name: 'the caller before the body',
    holds: async (_, url) => {
      const head =
        'POST /api/schools HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n';
      return (await answerTo(url, head)).startsWith('HTTP/1.1 401');
    },
    without: { inFront: (service) => express().use(express.raw({ type: () => true }), service) },
  },
  {
    name: 'one spelling for each address',
    holds: async (client) => (await client.get('/API/Auth/me', asAdmin())).status === 404,
    without: {
      inFront: (service) => (request, response) => {
        request.url = request.url?.toLowerCase();
        service(request, response);
      },
    },
  },
  {
    name: 'the error envelope of refusals by the parser',
    holds: async (_, url) => (await answerTo(url, 'nonsense\r\n\r\n')).includes('"code":"VALIDATION_ERROR"'),
    without: { listening: (server) => server.removeAllListeners('clientError') },
  },
  {
    name: 'no format is tried on a text that is too long',
    holds: async (client) => {
      const input = { primaryPersona: 'TEACHER', fullNameAr: 'معلمة', email: 'a'.repeat(5_000) };
      const { body } = await client.post<{ details: { field: string; issue: string }[] }>(
        '/api/users',
        input,
        asAdmin(),
      );
      const issues = body.details.filter(({ field }) => field === 'email').map(({ issue }) => issue);
      return issues.length > 0 && issues.every((issue) => issue.includes('more than'));
    },
    without: { routes: only('createUser', (route) => ({ ...route, body: withoutLengths(route.body) })) },
  },
];

async function rawRow({ scope }: { scope: object }): Promise<Answer> {
  return { status: 200, body: { ...scope } };
}

async function writesInstead({ trx, now }: { trx: typeof owner; now: Date }): Promise<Answer> {
  await trx('attempt_window').insert({ kind: 'login_email', subjectHash: newId(), failedAt: [], touchedAt: now });
  return { status: 204, body: undefined };
}

plant(test, app, faults);

test.run();
