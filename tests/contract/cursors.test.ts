// timeout: 300s
// Forged cursors on every list: values of the right types that no row has. The response is a page or a refusal, never a
// 500.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Route } from '#core/http/route.ts';
import { useApp } from '../harness/http.ts';
import { buildWorld, type Person, type World } from '../harness/world.ts';
import { entryOf } from './entries/index.ts';
import { personas, refusedByPermission } from './operations/access.ts';
import { tabled } from './operations/table.ts';
import { pathOf, type Request } from './requests/entry.ts';
import { aimAt, requestableRoutes } from './requests/route-caller.ts';
import { targetOf } from './requests/targets.ts';

const test = suite('forged cursors');
const app = useApp(test, { settings: { RATE_LIMIT_USER_PER_MINUTE: '1000000', RATE_LIMIT_IP_PER_MINUTE: '1000000' } });
let world: World;
test.before(async () => {
  world = await buildWorld(app);
});

const batch = 10;
const lists = requestableRoutes().filter(({ query }) => Object.hasOwn(query?.properties ?? {}, 'cursor'));

/** Dates that do not exist, and one before the calendar of the database. */
const instants = ['2026-02-31T00:00:00.000Z', '2026-01-01T24:00:00.000Z', '0000-01-01T00:00:00.000Z'];
const numbers = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 2 ** 31];

type Key = readonly (string | number)[];

const longer = (keys: readonly Key[], parts: Key): Key[] => keys.flatMap((key) => parts.map((part) => [...key, part]));

/** Every key of one and two values, keys of three with one value of each type, and the existing longer ones. */
function* keys(): Generator<Key> {
  const parts = [...numbers, 'x', ...instants];
  yield* longer([[]], parts);
  yield* longer(longer([[]], parts), parts);
  const types = [Number.MAX_SAFE_INTEGER, 'x', '2026-02-31T00:00:00.000Z', '2026-01-01T00:00:00.000Z'];
  yield* longer(longer(longer([[]], types), types), types);
  for (const number of numbers) yield ['x', number, 'x', 'x', 'x', 'x'];
  for (const one of instants) {
    yield [one, one, 'x', 1];
    yield ['2026-01-01T00:00:00.000Z', one, 'x', Number.MAX_SAFE_INTEGER];
  }
}

const cursorOf = (key: readonly unknown[]): string => Buffer.from(JSON.stringify(key)).toString('base64url');

async function accepted(route: Route): Promise<{ readonly request: Request; readonly caller: Person }> {
  const at = aimAt(targetOf(app, world.own));
  for (const persona of personas) {
    const row = tabled(route.operation);
    if (!row || persona === 'nobody' || refusedByPermission(row, persona) !== undefined) continue;
    const caller = persona === 'SUPER' ? world.superAdmin : world.own.people[persona];
    const request = (await entryOf(route.operation).request?.({ at, app, caller })) ?? {};
    const { status } = await app.get(pathOf(route, request), { token: caller.token });
    if (status === 200) return { request, caller };
  }
  throw new Error(`no caller may call ${route.operation}`);
}

for (const route of lists) {
  test(`${route.operation}: a page or a refusal`, async () => {
    const { request, caller } = await accepted(route);
    const failed: unknown[] = [];
    const ask = async (key: Key): Promise<void> => {
      const query = { ...request.query, cursor: cursorOf(key) };
      const { status } = await app.get(pathOf(route, { ...request, query }), { token: caller.token });
      if (status !== 200 && status !== 422) failed.push([status, key]);
    };
    const all = [...keys()];
    for (let from = 0; from < all.length; from += batch) await Promise.all(all.slice(from, from + batch).map(ask));
    assert.equal(failed.slice(0, 5), []);
  });
}

/** Lists that are held in memory: a cursor that names no row is refused. */
const inMemory = ['listLanguageRules', 'listQaChecks'];

for (const operation of inMemory) {
  test(`${operation}: a cursor that names no row is refused`, async () => {
    const route = lists.find((one) => one.operation === operation);
    assert.ok(route);
    const { request, caller } = await accepted(route);
    const query = { ...request.query, cursor: cursorOf(['x']) };
    const { status, body } = await app.get(pathOf(route, { ...request, query }), { token: caller.token });
    assert.equal([status, (body as { code: string }).code], [422, 'VALIDATION_ERROR']);
  });
}

test('the lists are found', () => {
  assert.ok(lists.length > 30, String(lists.length));
});

test.run();
