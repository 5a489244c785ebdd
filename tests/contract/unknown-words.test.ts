// Unknown values are refused with their name wherever they occur: the discriminator of a union, and the code of a
// sub-skill in a query.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { checkJson } from '#core/http/checks/validation.ts';
import type { Route } from '#core/http/route.ts';
import { useApp } from '../harness/http.ts';
import { buildWorld, type World } from '../harness/world.ts';
import { schemasIn } from './answers/schemas.ts';
import { entryOf } from './entries/index.ts';
import { pathOf } from './requests/entry.ts';
import { aimAt, requestableRoutes } from './requests/route-caller.ts';
import { targetOf } from './requests/targets.ts';

interface Refusal {
  readonly code: string;
  readonly details?: readonly { readonly field: string; readonly issue: string }[];
}

const app = useApp(test);
const subSkillNames = ['subSkillCode', 'subSkillId'];
let world: World;

test.before(async () => {
  world = await buildWorld(app);
});

const unions = requestableRoutes().flatMap((route) =>
  [...schemasIn(route.body && JSON.parse(JSON.stringify(route.body)))].flatMap(([at, { discriminator }]) =>
    discriminator ? [{ route, at, tag: (discriminator as { propertyName: string }).propertyName }] : [],
  ),
);

test('an unknown discriminator of a union is named, at any depth', () => {
  assert.ok(unions.some(({ route, tag }) => route.operation === 'createUser' && tag === 'primaryPersona'));
  for (const { route, at, tag } of unions) {
    const schema = at
      .slice(2)
      .split('/')
      .filter(Boolean)
      .reduce(innerSchema, route.body as never);
    for (const word of ['NO_SUCH_WORD', '', 7, null, []]) {
      const fields = checkJson(schema)({ [tag]: word }).map(({ field }) => field);
      assert.equal(fields, [tag], `${route.operation} ${at} ${JSON.stringify(word)}`);
    }
    assert.ok(
      checkJson(schema)({}).some(({ field }) => field === tag),
      `${route.operation} ${at}: absent`,
    );
  }
});

/** Follows one step of a path of `schemasIn`. */
const innerSchema = (schema: Record<string, never>, step: string): never => {
  const inner = Object.hasOwn(schema, step) ? schema[step] : Object(schema.properties)[step];
  return inner as never;
};

test('an unknown persona names its field over HTTP, in a new account and in a change', async () => {
  const { token } = world.own.people.ADMIN;
  const body = { primaryPersona: 'WIZARD', fullNameAr: 'سارة', organizationId: world.own.organizationId };
  const made = await app.post<Refusal>('/api/users', body, { token });
  assert.equal([made.status, made.body.code, made.body.details?.map(({ field }) => field)], refused('primaryPersona'));
  const path = `/api/users/${world.own.people.TEACHER.id}`;
  const changed = await app.request<Refusal>('PATCH', path, { token, body });
  assert.ok(changed.body.details?.some(({ field }) => field === 'primaryPersona'));
});

const refused = (field: string) => [422, 'VALIDATION_ERROR', [field]];

const filters = requestableRoutes().flatMap((route) =>
  Object.keys(route.query?.properties ?? {})
    .filter((name) => subSkillNames.includes(name))
    .map((name) => ({ route, name })),
);

test('queries that name a sub-skill exist', () => {
  assert.ok(filters.some(({ route }) => route.operation === 'listPatternHistory'));
});

for (const { route, name } of filters) {
  test(`${route.operation}: an unknown ${name} is VALIDATION_ERROR, a known one is found`, async () => {
    assert.is((await asked(route, { [name]: 'LK_SOUND' })).status, 200);
    for (const word of ['NO_SUCH_SKILL', 'LK', 'lk_sound', 'constructor', '']) {
      const { status, body } = await asked(route, { [name]: word });
      assert.equal([status, body.code, body.details?.map(({ field }) => field)], refused(name), word);
    }
  });
}

async function asked(route: Route, query: Record<string, string>) {
  const at = aimAt(targetOf(app, world.own));
  const request = (await entryOf(route.operation).request?.({ at, app, caller: world.superAdmin })) ?? {};
  return app.request<Refusal>(route.method.toUpperCase(), pathOf(route, { ...request, query }), {
    token: world.own.people.ADMIN.token,
  });
}

test.run();
