// The order of checks: token, permission, resource, reach, demo, validation. Each request below fails every check after the one
// that it tests.
import Type from 'typebox';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ok } from '#core/http/answers.ts';
import { CommittedRefusal } from '#core/http/guards.ts';
import type { Actor, Claims, Scope } from '#core/http/route.ts';
import { object } from '#core/http/schemas.ts';
import type { Envelope } from '#core/http/server/envelope.ts';
import type { Trx } from '#core/platform/db.ts';
import { AppError, denied, notFound } from '#core/platform/errors.ts';
import { useDatabase } from '../../harness/database.ts';
import { buildSchool, type SchoolRow } from '../../harness/factories.ts';
import { type FixtureServices, fixtureRoutes, useRoutes } from './fixture.ts';

const { owner } = useDatabase(test);
let ours: SchoolRow;
let theirs: SchoolRow;
test.before(async () => {
  ours = await buildSchool(owner);
  theirs = await buildSchool(owner);
});

/** The callers: the bearer token is one of these names. */
const people: Readonly<
  Record<string, () => { organizationId: string | null; permissions: string[]; isDemo: boolean }>
> = {
  writer: () => ({ organizationId: ours.organizationId, permissions: ['WRITE'], isDemo: false }),
  both: () => ({ organizationId: ours.organizationId, permissions: ['WRITE', 'SIGN'], isDemo: false }),
  reader: () => ({ organizationId: ours.organizationId, permissions: [], isDemo: false }),
  demo: () => ({ organizationId: ours.organizationId, permissions: ['WRITE'], isDemo: true }),
  super: () => ({ organizationId: null, permissions: ['WRITE'], isDemo: false }),
};

async function verifyToken(authorization: string | undefined): Promise<Claims> {
  if (authorization === undefined) throw new AppError('TOKEN_MISSING', 'Sign in.');
  const name = authorization.replace('Bearer ', '');
  const person = people[name];
  if (!person) throw new AppError('TOKEN_INVALID', 'Sign in again.');
  return { userId: 1, sessionId: name, organizationId: person().organizationId };
}

async function authenticate(_trx: Trx, { userId, sessionId }: Claims): Promise<Actor> {
  const person = people[sessionId]?.();
  if (!person) throw new AppError('SESSION_REVOKED', 'Sign in again.');
  return { ...person, userId, sessionId, persona: 'TEACHER', permissions: new Set(person.permissions) };
}

/** A school by its id: one of the caller's organization, one out of reach, one of a demo, or none. */
const school: Scope<{ id: string }, FixtureServices> = {
  reach: 'fixture',
  async resolve({ trx, params }) {
    const id = params.id === 'ours' ? ours.id : params.id === 'theirs' ? theirs.id : params.id;
    if (id === 'out-of-reach') throw denied();
    const row = id === 'demo' ? ours : await trx('school').where({ id }).first('id', 'organizationId');
    if (!row) throw notFound();
    return { row, organization: { id: row.organizationId, isDemo: params.id === 'demo' } };
  },
};

const common = {
  summary: 'Fixture',
  tag: 'fixture',
  params: object({ id: Type.String({ pattern: '^[a-z0-9-]+$' }) }),
  scope: school,
};
const Visible = object({ schools: Type.Integer() });
const countSchools = async (trx: Trx) => ok({ schools: (await trx('school').select('id')).length });

const write = fixtureRoutes.route({
  ...common,
  method: 'post',
  path: '/schools/:id/visits',
  operation: 'write',
  allow: ['WRITE', 'OTHER'],
  demo: 'blocked',
  body: object({ text: Type.String() }),
  answers: { 200: Visible },
  run: ({ trx }) => countSchools(trx),
});

const sign = fixtureRoutes.route({
  ...common,
  method: 'post',
  path: '/schools/:id/signatures',
  operation: 'sign',
  allow: { allOf: ['WRITE', 'SIGN'] },
  demo: 'loop',
  answers: { 200: Visible },
  run: ({ trx }) => countSchools(trx),
});

const eventOf = (organizationId: string) => ({ organizationId, topic: 'test', payload: {}, createdAt: new Date() });

const readThatWrites = fixtureRoutes.route({
  ...common,
  method: 'get',
  path: '/schools/:id/visits',
  operation: 'readThatWrites',
  allow: 'signed in',
  demo: 'read',
  answers: { 200: Visible },
  run: async ({ trx }) => {
    await trx('outbox').insert(eventOf(ours.organizationId));
    return ok({ schools: 0 });
  },
});

const answerTooMuch = fixtureRoutes.route({
  ...common,
  method: 'put',
  path: '/schools/:id/visits',
  operation: 'answerTooMuch',
  allow: 'signed in',
  demo: 'loop',
  answers: { 200: Visible },
  run: async ({ trx }) => {
    await trx('outbox').insert(eventOf(ours.organizationId));
    return ok({ schools: 1, passwordHash: 'leaked' });
  },
});

/** The bodies that reached the handler, and their schools. */
const inspections: { readonly body: unknown; readonly schools: number }[] = [];

const inspected = fixtureRoutes.route({
  ...common,
  method: 'patch',
  path: '/schools/:id/visits',
  operation: 'inspected',
  allow: ['WRITE'],
  demo: 'blocked',
  body: object({ text: Type.String() }),
  answers: { 200: Visible },
  beforeBodyValidation: async ({ trx, body }) => {
    inspections.push({ body, schools: (await countSchools(trx)).body.schools });
    if (!(typeof body === 'object' && body !== null && 'secret' in body)) return;
    await trx('outbox').insert(eventOf(ours.organizationId));
    throw new CommittedRefusal(new AppError('CONFLICT', 'Not that.'));
  },
  run: ({ trx }) => countSchools(trx),
});

/** The connections in use each time that a schema of the route was read for compilation. */
const heldWhileCompiling: number[] = [];
const noting = <Schema extends object>(schema: Schema): Schema =>
  Object.defineProperty({ ...schema }, 'title', {
    enumerable: true,
    get: () => {
      heldWhileCompiling.push(service.db.client.pool.numUsed());
      return 'noting';
    },
  });

const compiledFirst = fixtureRoutes.route({
  ...common,
  method: 'post',
  path: '/schools/:id/compilations',
  operation: 'compiledFirst',
  allow: ['WRITE'],
  demo: 'blocked',
  body: noting(object({ text: Type.String() })),
  answers: { 200: noting(Visible) },
  run: ({ trx }) => countSchools(trx),
});

const service = useRoutes(test, [write, sign, readThatWrites, answerTooMuch, inspected, compiledFirst], {
  pipeline: { verifyToken, authenticate },
});
const wrongBody = { wrong: true };

async function answerTo(path: string, token: string | undefined, body: unknown) {
  const reply = await service.post<Envelope>(path, body, token === undefined ? {} : { token });
  return [reply.status, reply.body.code];
}

test('1. token', async () => {
  assert.equal(await answerTo('/schools/none/visits', undefined, wrongBody), [401, 'TOKEN_MISSING']);
  assert.equal(await answerTo('/schools/none/visits', 'stranger', wrongBody), [401, 'TOKEN_INVALID']);
});

test('2. permission: one of a list, or all of them', async () => {
  assert.equal(await answerTo('/schools/none/visits', 'reader', wrongBody), [403, 'PERMISSION_DENIED']);
  assert.equal(await answerTo('/schools/ours/signatures', 'writer', {}), [403, 'PERMISSION_DENIED']);
  assert.equal(await answerTo('/schools/ours/signatures', 'both', {}), [200, undefined]);
});

test('3. resource: missing, malformed and another organization’s are one answer', async () => {
  const replies = [];
  for (const id of ['none', 'NOT_AN_ID', 'theirs']) {
    const { status, body } = await service.post<Envelope>(`/schools/${id}/visits`, wrongBody, { token: 'writer' });
    replies.push(JSON.stringify([status, body]));
  }
  assert.is(new Set(replies).size, 1);
  assert.match(replies[0] ?? '', '[404,{"code":"NOT_FOUND"');
});

test('4. reach', async () => {
  assert.equal(await answerTo('/schools/out-of-reach/visits', 'writer', wrongBody), [403, 'PERMISSION_DENIED']);
});

test('5. demo: the caller’s organization or the resource’s', async () => {
  assert.equal(await answerTo('/schools/ours/visits', 'demo', wrongBody), [403, 'DEMO_READ_ONLY']);
  assert.equal(await answerTo('/schools/demo/visits', 'writer', wrongBody), [403, 'DEMO_READ_ONLY']);
  assert.equal(await answerTo('/schools/ours/signatures', 'demo', {}), [403, 'PERMISSION_DENIED']);
});

test('6. validation', async () => {
  assert.equal(await answerTo('/schools/ours/visits', 'writer', wrongBody), [422, 'VALIDATION_ERROR']);
});

test('the handler sees the rows of the resource’s organization and no others', async () => {
  for (const [id, token] of [
    ['ours', 'writer'],
    ['ours', 'super'],
    ['theirs', 'super'],
  ] as const) {
    const { body } = await service.post<{ schools: number }>(`/schools/${id}/visits`, { text: 'x' }, { token });
    assert.equal(body, { schools: 1 });
  }
});

const waitingEvents = async () => (await owner('outbox').select('id')).length;

test('a GET cannot write: the database refuses, and the response discloses nothing', async () => {
  const { status, body } = await service.get<Envelope>('/schools/ours/visits', { token: 'writer' });
  assert.equal([status, body.code], [500, 'INTERNAL']);
  assert.not.match(JSON.stringify(body), /read-only|outbox|insert/);
  assert.is(await waitingEvents(), 0);
});

test('beforeValidation runs after caller, resource, reach and demo, and before the schema of the body', async () => {
  const answer = async (id: string, token: string, options: object) => {
    const { status, body } = await service.request<Envelope>('PATCH', `/schools/${id}/visits`, { token, ...options });
    return [status, body.code];
  };
  const secret = { body: { secret: 1, alsoWrong: true } };
  for (const [id, token, code] of [
    ['ours', 'reader', 'PERMISSION_DENIED'],
    ['none', 'writer', 'NOT_FOUND'],
    ['out-of-reach', 'writer', 'PERMISSION_DENIED'],
    ['ours', 'demo', 'DEMO_READ_ONLY'],
  ] as const) {
    assert.is((await answer(id, token, secret))[1], code);
  }
  assert.equal(await answer('ours', 'writer', { bytes: '{' }), [422, 'VALIDATION_ERROR']);
  assert.equal(inspections, [], 'nothing that can be inspected came so far');
  assert.equal(await answer('ours', 'writer', { body: wrongBody }), [422, 'VALIDATION_ERROR']);
  assert.equal(await answer('ours', 'writer', { body: { text: 'x' } }), [200, undefined]);
  assert.is(await waitingEvents(), 0);
  for (const token of ['writer', 'super']) assert.equal(await answer('ours', token, secret), [409, 'CONFLICT']);
  assert.is(await waitingEvents(), 2, 'what it wrote stays');
  assert.equal(
    inspections.map(({ schools }) => schools),
    [1, 1, 1, 1],
    'it sees the resource’s organization alone',
  );
  await owner('outbox').delete();
});

test('schemas are compiled before a connection is taken: a large one takes longer than a transaction may be idle', async () => {
  const path = '/schools/ours/compilations';
  assert.is((await service.post(path, { text: 'x' }, { token: 'nobody' })).status, 401);
  assert.equal(heldWhileCompiling, [], 'no one makes the service compile');
  assert.is((await service.post(path, { text: 'x' }, { token: 'writer' })).status, 200);
  assert.ok(heldWhileCompiling.length >= 2);
  assert.ok(
    heldWhileCompiling.every((used) => used === 0),
    heldWhileCompiling.join(),
  );
});

test('a response outside its schema is not sent, and its work is rolled back', async () => {
  const reply = await service.put<Envelope>('/schools/ours/visits', {}, { token: 'writer' });
  assert.equal([reply.status, reply.body.code], [500, 'INTERNAL']);
  assert.not.match(JSON.stringify(reply.body), /leaked|passwordHash/);
  assert.is(await waitingEvents(), 0);
});

test.run();
