// What bands mean, over HTTP: for teachers and for managers, kept by clients and dropped with an activation.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { putInForce } from '../../backoffice/workbench/next-version.ts';
import { useApp } from '../../harness/http.ts';
import { buildWorld, type PersonName, type World } from '../../harness/world.ts';

const app = useApp(test);
let world: World;
test.before(async () => {
  world = await buildWorld(app);
});

interface Body {
  readonly audience: string;
  readonly ruleVersion: string;
  readonly items: readonly { readonly band: string; readonly labelAr: string; readonly descriptionAr: string }[];
}

const read = (query = '', who: PersonName = 'TEACHER', headers: Record<string, string> = {}) =>
  app.get<Body>(`/api/reports/band-descriptions${query}`, { token: world.own.people[who].token, headers });

const five = ['Meets', 'Approaching', 'Below', 'Severe', 'More_Data'];

test('teachers read eight bands unless they ask for the five of managers', async () => {
  const { body } = await read();
  assert.equal([body.audience, body.ruleVersion], ['teacher', 'band-descriptions/teacher@1']);
  assert.equal(
    body.items.map(({ band }) => band),
    [...five, 'Partial', 'Contextual', 'Not_Assessed'],
  );
  assert.equal(body.items[4], {
    ...{ band: 'More_Data', labelAr: 'بيانات غير كافية', descriptionAr: 'يلزم مزيد من القياس قبل أي حكم.' },
  });
  const { body: manager } = await read('?audience=manager', 'MANAGER');
  assert.equal([manager.audience, manager.ruleVersion], ['manager', 'band-descriptions/manager@1']);
  assert.equal(
    manager.items.map(({ band }) => band),
    five,
  );
});

test('staff read them, parents and students do not, and there is no third audience', async () => {
  const expected = { ADMIN: 200, MANAGER: 200, PRINCIPAL: 200, TEACHER: 200, PARENT: 403, STUDENT: 403 } as const;
  for (const [who, status] of Object.entries(expected)) assert.is((await read('', who as PersonName)).status, status);
  for (const query of ['?audience=parent', '?audience=', '?other=1']) assert.is((await read(query)).status, 422);
});

test('a client that has them gets 304, until other texts come into force', async () => {
  const first = await read();
  const etag = first.headers.get('etag') ?? '';
  assert.is(first.headers.get('cache-control'), 'private, max-age=86400');
  for (const known of [etag, `"other", W/${etag}`]) {
    const again = await read('', 'TEACHER', { 'if-none-match': known });
    assert.equal([again.status, again.headers.get('etag')], [304, etag]);
  }
  assert.is((await read('?audience=manager', 'TEACHER', { 'if-none-match': etag })).status, 200);
  const { rules } = await app.services.rules.at(app.database.app, app.clock.now());
  const document = rules.documents.find(({ meta }) => meta.family === 'band-descriptions' && meta.key === 'teacher');
  const { meta, ...sections } = document as unknown as { meta: { version: number }; bands: Body['items'] };
  const bands = sections.bands.map((one) => ({ ...one, labelAr: `${one.labelAr} الآن` }));
  await putInForce(app, { ...sections, meta: { ...meta, version: 2 }, bands } as never);
  const after = await read('', 'TEACHER', { 'if-none-match': etag });
  assert.equal([after.status, after.body.ruleVersion], [200, 'band-descriptions/teacher@2']);
  assert.ok(after.body.items.every(({ labelAr }) => labelAr.endsWith(' الآن')));
  assert.is.not(after.headers.get('etag'), etag);
});

test.run();
