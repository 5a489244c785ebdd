// Names of people, classes, schools and organizations pass one door: every request schema that has one cleans it, and what
// is stored is what the door lets through.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { allRoutes } from '#app/app.ts';
import { useApp } from '../harness/http.ts';
import { buildWorld, type World } from '../harness/world.ts';
import { schemasIn } from './answers/schemas.ts';

const app = useApp(test);
let world: World;

test.before(async () => {
  world = await buildWorld(app);
});

/** Names of files and of cases. */
const otherNames = ['acceptChangeCases', 'importRuleSets', 'submitLmsToken', 'testLmsConnection'];

test('every name in the body of a request is cleaned', () => {
  const named = allRoutes().flatMap((route) =>
    [...schemasIn(route.body && JSON.parse(JSON.stringify(route.body)))].flatMap(([at, schema]) =>
      /\/(name|\w+Name|fullName\w*)$/.test(at) && (schema.type === 'string' || schema.anyOf !== undefined)
        ? [{ operation: route.operation, at, typed: (schema as Record<string, unknown>)['x-typed'] }]
        : [],
    ),
  );
  assert.ok(named.length >= 15, `${named.length}`);
  const unclean = named.filter(({ typed }) => typed !== 'name').map(({ operation }) => operation);
  assert.equal([...new Set(unclean)].sort(), otherNames);
});

type Body = Record<string, unknown>;

interface Door {
  readonly path: string;
  readonly body: Body;
  readonly property: string;
  readonly token: string;
  readonly method: 'post' | 'patch';
}

function doors(): Readonly<Record<string, Door>> {
  const { organizationId, people, school, classRow } = world.own;
  const { token } = people.ADMIN;
  const person = { primaryPersona: 'STUDENT', organizationId, classId: classRow.id };
  const classBody = { schoolId: school.id, grade: 1, academicYear: '2025-2026' };
  return {
    'a new student': { method: 'post', path: '/api/users', body: person, property: 'fullNameAr', token },
    'a student': { method: 'patch', path: `/api/users/${people.STUDENT.id}`, body: {}, property: 'fullNameAr', token },
    'a new class': { method: 'post', path: '/api/classes', body: classBody, property: 'name', token },
    'a class': { method: 'patch', path: `/api/classes/${classRow.id}`, body: {}, property: 'name', token },
    'a new school': {
      ...{ method: 'post', path: '/api/schools', body: { organizationId, country: 'SA' }, property: 'name', token },
    },
    'a school': { method: 'patch', path: `/api/schools/${school.id}`, body: {}, property: 'name', token },
    'an organization': {
      method: 'patch',
      path: `/api/organizations/${organizationId}`,
      body: {},
      property: 'name',
      token,
    },
  };
}

const send = ({ method, path, body, property, token }: Door, name: string) =>
  app[method]<Body>(path, { ...body, [property]: name }, { token });

const stored: readonly (readonly [typed: string, stored: string])[] = [
  ['\u202e عكس\u00a0\u00a0ا\u0654حمد\u2069 ', 'عكس أحمد'],
  ['علی\u200cرضا', 'علی\u200cرضا'],
  ['\u0651'.repeat(200), '\u0651'.repeat(200)],
  ['e\u0301'.repeat(150), 'é'.repeat(150)],
];
const refused = ['\u202a\u202c', '\u200c\u200d', '\u00a0\t', '\u0007', 'x'.repeat(201), '\u0958'.repeat(101)];

test('every door stores the cleaned name, and refuses what is empty or too long when cleaned', async () => {
  for (const [what, door] of Object.entries(doors())) {
    for (const [typed, name] of stored) {
      const { status, body } = await send(door, typed);
      assert.is(status, door.method === 'post' ? 201 : 200, `${what}: ${JSON.stringify(body)}`);
      assert.is(body[door.property], name, what);
    }
    for (const typed of refused) {
      const { status, body } = await send(door, typed);
      assert.is(status, 422, `${what} ${JSON.stringify(typed)}`);
      assert.equal((body.details as { field: string }[]).map(({ field }) => field)[0], door.property, what);
    }
  }
});

test.run();
