// The catalogue over HTTP: every entry of the document in force, filters, pages, and unknown ids.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { useApp } from '../../../harness/http.ts';
import { buildWorld, type World } from '../../../harness/world.ts';
import { engines } from '../runs.ts';

const test = suite('catalogue of bundles');
const app = useApp(test);
let world: World;

test.before(async () => {
  world = await buildWorld(app);
});

interface Body {
  readonly items: readonly { readonly bundle_id: string }[];
  readonly nextCursor: string | null;
}
const list = (query = '') => app.get<Body>(`/api/bundles${query}`, { token: world.own.people.TEACHER.token });
const one = (id: string) => app.get(`/api/bundles/${id}`, { token: world.own.people.TEACHER.token });

test('every entry is the document’s, with the version of its catalogue', async () => {
  const { bundles, version } = engines.recommendation.catalogue;
  for (const expected of bundles) {
    const { status, body } = await one(expected.bundle_id);
    assert.is(status, 200);
    assert.equal(body, { ...expected, catalogueVersion: version });
  }
});

test('all of them by id, over pages', async () => {
  const found: string[] = [];
  let cursor: string | null = null;
  do {
    const { body }: { body: Body } = await list(`?limit=9${cursor === null ? '' : `&cursor=${cursor}`}`);
    found.push(...body.items.map(({ bundle_id }) => bundle_id));
    cursor = body.nextCursor;
  } while (cursor !== null);
  assert.equal(found, engines.recommendation.catalogue.bundles.map(({ bundle_id }) => bundle_id).sort());
});

test('filters: grade, type and state; an unknown value is refused', async () => {
  const ids = async (query: string) => (await list(query)).body.items.map(({ bundle_id }) => bundle_id);
  assert.equal(await ids('?grade=2&objectType=COMPOSITE_INTERVENTION_BUNDLE'), ['CIB-BROAD-01', 'CIB-DUAL-01']);
  assert.equal(await ids('?grade=4&objectType=COMPOSITE_INTERVENTION_BUNDLE'), ['CIB-DUAL-01']);
  assert.equal(await ids('?state=draft'), ['FUT-WRITING-01']);
  assert.equal(await ids('?state=retired'), []);
  for (const query of ['?grade=5', '?grade=x', '?objectType=BOOK', '?state=open', '?colour=red', '?cursor=x']) {
    assert.is((await list(query)).status, 422, query);
  }
});

test('an unknown id, malformed or not, is not found', async () => {
  for (const id of ['BND-DECODE-99', 'nothing', 'BND-DECODE-01%20', '1', 'x'.repeat(200)]) {
    assert.is((await one(id)).status, 404, id);
  }
});

test.run();
