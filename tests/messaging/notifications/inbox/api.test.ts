// The inbox over HTTP: order, pages while notifications arrive, and no rows of other people.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { useApp } from '../../../harness/http.ts';
import { buildWorld, type Person, type World } from '../../../harness/world.ts';
import { buildNotification } from '../rows.ts';

const test = suite('an inbox over HTTP');
const app = useApp(test);
let world: World;
test.before(async () => {
  world = await buildWorld(app);
});

const path = '/api/notifications';
interface Item {
  readonly id: string;
  readonly severity: string;
  readonly deliveryState: string;
  readonly readAt: string | null;
  readonly dismissedAt: string | null;
}
interface Listed {
  readonly items: Item[];
  readonly nextCursor: string | null;
}
const listed = async (person: Person, query = '') =>
  (await app.get<Listed>(`${path}?${query}`, { token: person.token })).body;
const unread = (person: Person, headers = {}) =>
  app.get<{ count: number }>(`${path}/unread-count`, { token: person.token, headers });
const post = (person: Person, of: string, body: object = {}) =>
  app.post<Item & { updated: number }>(`${path}/${of}`, body, { token: person.token });
const ids = ({ items }: Listed) => items.map(({ id }) => id);

/** One a second, so that the order is known. */
async function arrive(person: Person, severity: 'urgent' | 'action_required' | 'info' = 'info', kind?: string) {
  app.clock.advance(1_000);
  const createdAt = app.clock.now().toISOString();
  return buildNotification(app.database.owner, person, { severity, createdAt, ...(kind && { kind }) });
}

test('urgent first, then all others together, newest first; a page that is turned neither repeats nor hides', async () => {
  const { TEACHER: teacher } = world.own.people;
  const [info, urgent, action, later] = [
    await arrive(teacher, 'info'),
    await arrive(teacher, 'urgent', 'student_alert_assigned'),
    await arrive(teacher, 'action_required'),
    await arrive(teacher, 'info'),
  ];
  const all = await listed(teacher);
  assert.equal(ids(all), [urgent, later, action, info]);
  assert.is(all.nextCursor, null);
  assert.equal(Object.keys(all.items[0] ?? {}).sort(), [
    ...['createdAt', 'deliveryState', 'dismissedAt', 'id', 'kind', 'payload', 'readAt', 'renderedBodyAr'],
    ...['renderedTitleAr', 'severity'],
  ]);
  const first = await listed(teacher, 'limit=2');
  const arrived = [await arrive(teacher, 'urgent'), await arrive(teacher, 'info')];
  const second = await listed(teacher, `limit=2&cursor=${first.nextCursor}`);
  assert.equal([...ids(first), ...ids(second)], [urgent, later, action, info]);
  assert.equal(ids(await listed(teacher, 'severity=urgent')), [arrived[0], urgent]);
  assert.equal(ids(await listed(teacher, 'kind=student_alert_assigned')), [urgent]);
  assert.is((await unread(teacher)).body.count, 6);
});

test('rows of one moment have one order, whatever the pages', async () => {
  const { PRINCIPAL: person } = world.own.people;
  const createdAt = app.clock.now().toISOString();
  for (let at = 0; at < 7; at++) await buildNotification(app.database.owner, person, { createdAt });
  const whole = ids(await listed(person));
  const turned: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Listed = await listed(person, cursor === '' ? 'limit=2' : `limit=2&cursor=${cursor}`);
    turned.push(...ids(page));
    cursor = page.nextCursor;
  }
  assert.equal(turned, whole);
  assert.equal(whole, whole.toSorted().toReversed());
});

test('read and dismiss are steps one way, and twice is once', async () => {
  const { ADMIN: person } = world.own.people;
  const [one, other] = [await arrive(person), await arrive(person)];
  const readAt = app.clock.now().toISOString();
  const read = await post(person, `${one}/read`);
  assert.equal([read.status, read.body.deliveryState, read.body.readAt], [200, 'read', readAt]);
  app.clock.advance(1_000);
  assert.equal((await post(person, `${one}/read`)).body, read.body);
  const gone = await post(person, `${one}/dismiss`);
  assert.equal([gone.status, gone.body.deliveryState, gone.body.readAt], [200, 'dismissed', readAt]);
  app.clock.advance(1_000);
  assert.equal((await post(person, `${one}/dismiss`)).body, gone.body);
  assert.equal((await post(person, `${one}/read`)).body, gone.body, 'what is away stays as it was');
  const straight = await post(person, `${other}/dismiss`);
  assert.equal([straight.body.deliveryState, straight.body.readAt], ['dismissed', null]);
  assert.equal(await listed(person), { items: [], nextCursor: null });
  assert.equal(await listed(person, 'state=dismissed'), { items: [], nextCursor: null });
  assert.is((await unread(person)).body.count, 0);
});

test('all up to one are read; what arrived after it stays unread', async () => {
  const { MANAGER: person } = world.own.people;
  const [first, , upTo] = [await arrive(person), await arrive(person, 'urgent'), await arrive(person)];
  await post(person, `${first}/dismiss`);
  const later = await arrive(person);
  assert.equal((await post(person, 'mark-all-read', { upTo })).body, { updated: 2 });
  assert.equal((await post(person, 'mark-all-read', { upTo })).body, { updated: 0 });
  assert.equal(ids(await listed(person, 'state=delivered_in_app')), [later]);
  assert.is(ids(await listed(person, 'state=read')).length, 2);
  assert.equal((await post(person, 'mark-all-read')).body, { updated: 1 });
  assert.is((await post(person, 'mark-all-read', { upTo: 'a'.repeat(24) })).status, 404);
  assert.is((await post(person, 'mark-all-read', { upTo: 'x' })).status, 422);
});

test('many who read at once count each row once', async () => {
  const { PARENT: person } = world.own.people;
  for (let at = 0; at < 5; at++) await arrive(person);
  const replies = await Promise.all(Array.from({ length: 6 }, () => post(person, 'mark-all-read')));
  assert.is(
    replies.reduce((sum, { body }) => sum + body.updated, 0),
    5,
  );
});

test('the unread count has an ETag, and 304 while nothing has changed', async () => {
  const { TEACHER: teacher } = world.own.people;
  const first = await unread(teacher);
  const etag = first.headers.get('etag') ?? '';
  const same = await unread(teacher, { 'if-none-match': etag });
  assert.equal([same.status, same.body, same.headers.get('etag')], [304, undefined, etag]);
  assert.is((await unread(teacher, { 'if-none-match': `"x", W/${etag}` })).status, 304);
  await arrive(teacher);
  const changed = await unread(teacher, { 'if-none-match': etag });
  assert.equal([changed.status, changed.body.count], [200, first.body.count + 1]);
});

test("another person's row is absent for every caller; unknown values are refused", async () => {
  const { TEACHER: teacher, ADMIN: admin, PARENT: parent } = world.own.people;
  const id = await arrive(teacher);
  const strangers = [admin, parent, world.other.people.TEACHER, world.superAdmin];
  for (const stranger of strangers) {
    assert.is((await post(stranger, `${id}/read`)).status, 404);
    assert.is((await post(stranger, `${id}/dismiss`)).status, 404);
    assert.is((await post(stranger, 'mark-all-read', { upTo: id })).status, 404);
    assert.not.ok(ids(await listed(stranger, 'limit=100')).includes(id));
  }
  assert.is((await post(teacher, 'x/read')).status, 404);
  for (const query of ['state=open', 'kind=other', 'severity=low', 'cursor=x', 'limit=0', 'limit=101', 'x=1']) {
    assert.is((await app.get(`${path}?${query}`, { token: teacher.token })).status, 422, query);
  }
});

test('ten thousand rows cost what twenty-five cost: each query goes by its index', async () => {
  const { STUDENT: person } = world.own.people;
  const { owner } = app.database;
  await owner.raw(
    `insert into notification (organization_id, id, recipient_user_id, kind, severity, payload, source_type, source_id,
       rendered_title_ar, rendered_body_ar, tier, rule_versions, created_at, delivery_state, read_at)
     select :organizationId, 'n' || lpad(i::text, 12, '0') || lpad(u::text, 11, '0'), u, 'dismissal_expiry',
       (array['urgent', 'info'])[1 + i % 2], '{}', 'x', 'x', 'عنوان', 'نص', 'ui', '{}', made.at,
       case when i % 100 = 0 then 'delivered_in_app' else 'read' end, case when i % 100 > 0 then made.at end
     from generate_series(1, 10000) i cross join unnest(array[:id, :other]::bigint[]) u
     cross join lateral (select timestamptz '2026-01-01' + i * interval '1 minute' as at) made`,
    { organizationId: person.organizationId ?? '', id: person.id, other: world.own.people['TEACHER elsewhere'].id },
  );
  await owner.raw('analyze notification');
  const statements: { sql: string; bindings: unknown[] }[] = [];
  const note = ({ sql, bindings }: { sql: string; bindings: unknown[] }) => statements.push({ sql, bindings });
  app.database.app.on('query', note);
  const first = await listed(person, 'limit=100');
  await listed(person, `cursor=${first.nextCursor}`);
  assert.is((await unread(person)).body.count, 100);
  app.database.app.removeListener('query', note);
  const asked = statements.filter(({ sql }) => /from "?notification"?/.test(sql));
  assert.is(asked.length, 3);
  for (const { sql, bindings } of asked) {
    const plan = await owner.raw(`explain (format json) ${sql.replaceAll(/\$\d+/g, '?')}`, bindings as never[]);
    const text = JSON.stringify(plan.rows);
    assert.match(text, /notification_(inbox|unread|newest)/, sql);
    assert.not.match(text, /"Seq Scan"|"Sort"/, sql);
  }
});

test.run();
