// timeout: 120s
// A constant is one number, however many documents quote it: set, refused, listed, with what was before.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { useApp } from '../../../harness/http.ts';
import {
  addressOf,
  type Backoffice,
  beginChange,
  buildBackoffice,
  type Json,
  type JsonReply,
  takeChange,
} from '../backoffice.ts';

const app = useApp(test, { rules: true });
let office: Backoffice;

test.before(async () => {
  office = await buildBackoffice(app);
});

const begun = async () => {
  const { body } = await office.author.post('/api/admin/rule-changes', { title: 'A constant' });
  return { address: `/api/admin/rule-changes/${body.changeId}`, etag: String(body.etag) };
};
const put = (address: string, id: string, body: Json, etag: string): Promise<JsonReply> =>
  office.author.request('PUT', `${address}/constants/${id}`, body, { 'if-match': etag });
const namesOf = ({ documents }: Json) => (documents as Json[]).map(({ family, key }) => `${family}/${key}`);

test('documents in force that hold it join, and those that say nothing new any more leave', async () => {
  const { address, etag } = await begun();
  const set = await put(address, 'DTH-MIN-01', { value: 6, rationale: 'More items.' }, etag);
  assert.is(set.status, 200, JSON.stringify(set.body));
  assert.equal(namesOf(set.body), ['dth/dth', 'pac/pac', 'scoring/measurement']);
  assert.equal(set.body.constants, [{ id: 'DTH-MIN-01', before: 4, after: 6, documents: namesOf(set.body) }]);
  const { body: pac } = await office.author.get(`${address}/documents/pac/pac`);
  const constants = (pac.document as { constants: Record<string, Json> }).constants;
  assert.equal([constants['DTH-MIN-01']?.value, constants['DTH-MIN-01']?.rationale], [6, 'More items.']);
  const literals = JSON.stringify(pac.document).match(/"value":6,"valueRef":"DTH-MIN-01"/g) ?? [];
  assert.ok(literals.length > 0);
  const back = await put(address, 'DTH-MIN-01', { value: 4 }, String(set.body.etag));
  assert.is(back.status, 200, JSON.stringify(back.body));
  const other = await put(address, 'DTH-MIN-01', { value: 7 }, etag);
  assert.is(other.status, 412, 'the ETag of before');
});

test('one that no document holds is 404; another type or a value outside its domain is 422', async () => {
  const { address, etag } = await begun();
  assert.is((await put(address, 'NO-SUCH-01', { value: 1 }, etag)).status, 404);
  for (const value of ['many', true, 1_000_000, -1, 2.5]) {
    const refused = await put(address, 'CBM-MIN-01', { value }, etag);
    assert.equal(
      [refused.status, refused.body.details?.[0]?.field],
      [422, 'value'],
      JSON.stringify([value, refused.body]),
    );
  }
  assert.equal(namesOf((await office.author.get(address)).body), []);
});

test('two values of one constant, in the change or beside it, are an error of the check', async () => {
  const { address, etag } = await begun();
  const set = await put(address, 'DTH-MIN-01', { value: 6 }, etag);
  const path = `${address}/documents/pac/pac`;
  const { body: pac } = await office.author.get(path);
  await office.author.request('DELETE', path, undefined, { 'if-match': String(pac.etag) });
  const { body } = await office.author.post(`${address}/check`, {});
  const split = (body.findings as Json[]).filter(({ code }) => code === 'CONSTANT_SPLIT');
  assert.equal(
    split.map(({ family, level }) => `${family} ${level}`),
    ['dth error', 'scoring error'],
    JSON.stringify(set.body.documents),
  );
  const unsaved = [{ family: 'pac', key: 'pac', document: pac.document }];
  const examined = await office.author.post(`${address}/examine`, { documents: unsaved });
  assert.is(examined.status, 200, JSON.stringify(examined.body));
  assert.equal(
    (examined.body.findings as Json[]).filter(({ code }) => code === 'CONSTANT_SPLIT'),
    [],
  );
  assert.equal(
    namesOf((await office.author.get(address)).body),
    ['dth/dth', 'scoring/measurement'],
    'nothing is stored',
  );
});

test('all constants in force are listed with documents and facts; one has its history', async () => {
  const list = await office.author.get('/api/admin/rule-constants');
  const items = list.body.items as Json[];
  const least = items.find(({ constantId }) => constantId === 'DTH-MIN-01');
  assert.equal(
    [least?.value, least?.documents, least?.lastChange],
    [4, ['dth/dth', 'pac/pac', 'scoring/measurement'], null],
  );
  const { facts } = least ?? {};
  assert.ok((facts as Json[]).some(({ family }) => family === 'pac'));
  const again = await office.author.request('GET', '/api/admin/rule-constants', undefined, {
    'if-none-match': list.headers.get('etag') ?? '',
  });
  assert.is(again.status, 304);
  const document = (await office.author.get('/api/admin/rule-sets/cbm/trend/versions/active')).body.document as Json;
  const made = await beginChange(office.author, 'cbm/trend', { document });
  await office.author.request('DELETE', addressOf(made), undefined, { 'if-match': String(made.body.etag) });
  const { address, etag } = await begun();
  const set = await put(address, 'CBM-MIN-01', { value: 5 }, etag);
  const text = (await office.author.get(`${address}/documents/cbm/trend`)).body.document as Json;
  assert.is(set.status, 200);
  const published = await takeChange(office, { 'cbm/trend': text }, { upTo: 'approve' });
  const historyOf = async () =>
    (await office.author.get('/api/admin/rule-constants/CBM-MIN-01')).body.history as Json[];
  const [waiting, now] = await historyOf();
  assert.equal([waiting?.value, waiting?.activeFrom, waiting?.changeId], [5, null, published.changeId]);
  assert.equal([now?.changeId, now?.activeTo], [null, null]);
  app.clock.advance(1_000);
  await office.author.post(`${published.address}/activate`, { reason: 'evidence_update' });
  const [active, before] = await historyOf();
  assert.equal([active?.value, active?.changeId, active?.activeTo], [5, published.changeId, null]);
  assert.is(before?.activeTo, active?.activeFrom);
  assert.is((await office.author.get('/api/admin/rule-constants/NO-SUCH-01')).status, 404);
});

test.run();
