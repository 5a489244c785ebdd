// Inboxes while several workers dispatch: equal texts are one row with the right count, and pages neither repeat nor omit rows.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { signIn } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { aboutAlert, buildSchoolhouse, deskOf, type Schoolhouse } from '../desk.ts';

const test = suite('inboxes and several workers');
const app = useApp(test, { rules: true });
let tenant: Schoolhouse;
let token: string;
const desk = deskOf(app, () => tenant);

test.before.each(async () => {
  tenant = await buildSchoolhouse(app.database.owner);
  token = await signIn(app, tenant.people.TEACHER);
});

interface Page {
  readonly items: readonly { readonly id: string; readonly createdAt: string }[];
  readonly nextCursor: string | null;
}
const page = async (cursor: string | null): Promise<Page> => {
  const query = cursor === null ? 'limit=5' : `limit=5&cursor=${cursor}`;
  const { status, body } = await app.get<Page>(`/api/notifications?${query}`, { token });
  assert.is(status, 200);
  return body;
};

test('three hundred requests of one source, made and dispatched at the same time: one row, and all are counted', async () => {
  const same = { ...aboutAlert(tenant.people.STUDENT.id), sourceId: 'one' };
  const ask = async (times: number) => {
    for (let at = 0; at < times; at++) await desk.ask(...Array.from({ length: 10 }, () => same));
  };
  const deliver = async () => {
    for (let at = 0; at < 10; at++) await desk.deliver();
  };
  await Promise.all([ask(10), deliver(), ask(10), deliver(), ask(10), deliver()]);
  await desk.deliver();
  assert.equal(
    (await desk.notifications()).map(({ sourceId, count }) => [sourceId, count]),
    [['one', 300]],
  );
  assert.equal([...new Set((await desk.requests()).map(({ state }) => state))], ['delivered']);
});

test('pages that are turned while more arrives hold each of the first ones once, in their order', async () => {
  for (let at = 0; at < 23; at++) {
    app.clock.advance(1_000);
    await desk.ask({});
    await desk.deliver();
  }
  const before = (await desk.notifications()).map(({ id }) => String(id)).toReversed();
  const turned: string[] = [];
  let cursor: string | null = null;
  do {
    app.clock.advance(1_000);
    const arriving = desk.ask({}, {}).then(() => Promise.all([desk.deliver(), desk.deliver()]));
    const [{ items, nextCursor }]: [Page, unknown] = await Promise.all([page(cursor), arriving]);
    turned.push(...items.map(({ id }) => id));
    cursor = nextCursor;
  } while (cursor !== null);
  assert.is(new Set(turned).size, turned.length, 'none comes twice');
  assert.equal(
    turned.filter((id) => before.includes(id)),
    before,
  );
  assert.ok((await desk.notifications()).length >= 23 + 8, 'more have come meanwhile');
});

test('marking as read up to one leaves later ones unread', async () => {
  await desk.ask(...Array.from({ length: 12 }, () => ({})));
  await desk.deliver();
  app.clock.advance(1_000);
  const [first] = (await page(null)).items;
  const marked = app.post<{ updated: number }>('/api/notifications/mark-all-read', { upTo: first?.id }, { token });
  await Promise.all([marked, desk.ask({}, {}, {}).then(() => desk.deliver())]);
  assert.equal([(await marked).status, (await marked).body.updated], [200, 12]);
  const { body } = await app.get<{ count: number }>('/api/notifications/unread-count', { token });
  assert.is(body.count, 3);
});

test.run();
