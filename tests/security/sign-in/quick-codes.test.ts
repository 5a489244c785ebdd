// Quick codes for students: their format, their lifetime, and the limits of guessing.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { issueQuickCodes } from '#identity/people/quick-codes/quick-codes.ts';
import { buildStudent } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { buildTenant, type Tenant } from '../../harness/world.ts';
import { codeOf, from, inParallel, noGeneralLimits, tally } from '../support.ts';

const app = useApp(test, { settings: noGeneralLimits });
const dayMs = 86_400_000;
let tenant: Tenant;
let nextAddress = 1;
const freshAddress = () => `203.0.113.${nextAddress++}`;

test.before.each(async () => {
  tenant = await buildTenant(app);
});

const tryCode = (quickCode: string, address = freshAddress()) =>
  app.post('/api/auth/quickcode', { quickCode }, { headers: from(address) });

interface Issued {
  readonly quickCode: string;
  readonly expiresAt: string;
}

async function issue(): Promise<Issued> {
  const { STUDENT, TEACHER } = tenant.people;
  const reply = await app.post<Issued>(`/api/students/${STUDENT.id}/quick-code`, undefined, { token: TEACHER.token });
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

test('a code is 8 characters without ambiguous characters, is valid for 30 days, and signs the student in', async () => {
  const { quickCode, expiresAt } = await issue();
  assert.match(quickCode, /^[23456789ABCDEFGHJKMNPQRSTUVWXYZ]{8}$/);
  assert.is(Date.parse(expiresAt) - app.clock.now().getTime(), 30 * dayMs);
  const { body } = await tryCode(` ${quickCode.slice(0, 4).toLowerCase()}-${quickCode.slice(4)}`);
  const me = await app.get<{ id: number }>('/api/auth/me', { token: (body as { accessToken: string }).accessToken });
  assert.is(me.body.id, tenant.people.STUDENT.id);
});

test('the code is stored as a keyed hash only', async () => {
  const { quickCode } = await issue();
  assert.not.match(JSON.stringify(await app.database.owner('quick_code').select('*')), quickCode);
});

test('a new code replaces the old one; an expired code and one of a closed account are refused', async () => {
  const first = await issue();
  const second = await issue();
  assert.is(codeOf(await tryCode(first.quickCode)), 'QUICKCODE_INVALID_OR_EXPIRED');
  await app.database.owner('app_user').where({ id: tenant.people.STUDENT.id }).update({ status: 'inactive' });
  assert.is(codeOf(await tryCode(second.quickCode)), 'QUICKCODE_INVALID_OR_EXPIRED');
  await app.database.owner('app_user').where({ id: tenant.people.STUDENT.id }).update({ status: 'active' });
  assert.is((await tryCode(second.quickCode)).status, 200);
  app.clock.advance(30 * dayMs);
  assert.is(codeOf(await tryCode(second.quickCode)), 'QUICKCODE_INVALID_OR_EXPIRED');
});

test('ten wrong codes from one address: QUICKCODE_RATE_LIMIT for fifteen minutes, also at the same moment', async () => {
  const { quickCode } = await issue();
  const address = freshAddress();
  const replies = await inParallel(50, () => tryCode('22222222', address));
  assert.equal(tally(replies), { '401 QUICKCODE_INVALID_OR_EXPIRED': 10, '401 QUICKCODE_RATE_LIMIT': 40 });
  const limited = await tryCode(quickCode, address);
  assert.is(limited.headers.get('retry-after'), '900');
  assert.is((limited.body as { retryAfter: number }).retryAfter, 900);
  assert.is((await tryCode(quickCode)).status, 200, 'another address is free');
  app.clock.advance(15 * 60_000);
  assert.is((await tryCode(quickCode, address)).status, 200);
});

const device = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const tryOn = (quickCode: string, address: string, deviceId: string) =>
  app.post('/api/auth/quickcode', { quickCode }, { headers: { ...from(address), 'x-device-id': deviceId } });

test('one student does not lock a school: after ten wrong codes on one device, the others continue', async () => {
  const { quickCode } = await issue();
  const address = freshAddress();
  const replies = await inParallel(15, () => tryOn('22222222', address, device(1)));
  assert.equal(tally(replies), { '401 QUICKCODE_INVALID_OR_EXPIRED': 10, '401 QUICKCODE_RATE_LIMIT': 5 });
  assert.is(codeOf(await tryOn(quickCode, address, device(1).toUpperCase())), 'QUICKCODE_RATE_LIMIT');
  assert.is((await tryOn(quickCode, address, device(2))).status, 200);
  assert.is((await tryCode(quickCode, address)).status, 200, 'a client without an id counts as a device');
});

test('a hundred wrong codes from one address, whatever the devices; an own success resets nothing', async () => {
  const { quickCode } = await issue();
  const address = freshAddress();
  const first = await inParallel(99, (n) => tryOn('22222222', address, device(100 + n)));
  assert.equal(tally(first), { '401 QUICKCODE_INVALID_OR_EXPIRED': 99 });
  assert.is((await tryOn(quickCode, address, device(1))).status, 200);
  const last = await inParallel(20, (n) => tryOn('22222222', address, device(300 + n)));
  assert.equal(tally(last), { '401 QUICKCODE_INVALID_OR_EXPIRED': 1, '401 QUICKCODE_RATE_LIMIT': 19 });
  const limited = await tryOn(quickCode, address, device(2));
  assert.equal([codeOf(limited), limited.headers.get('retry-after')], ['QUICKCODE_RATE_LIMIT', '900']);
});

test('an X-Device-Id that is no UUID is ignored', async () => {
  const address = freshAddress();
  const replies = await inParallel(15, (n) => tryOn('22222222', address, `device ${n}`));
  assert.equal(tally(replies), { '401 QUICKCODE_INVALID_OR_EXPIRED': 10, '401 QUICKCODE_RATE_LIMIT': 5 });
});

test('addresses of one /64 count as one address', async () => {
  const replies = await inParallel(15, (n) => tryCode('22222222', `2001:db8:1:2::${n.toString(16)}`));
  assert.equal(tally(replies), { '401 QUICKCODE_INVALID_OR_EXPIRED': 10, '401 QUICKCODE_RATE_LIMIT': 5 });
});

test('a success resets the failures: a class at one address may mistype', async () => {
  const { quickCode } = await issue();
  const address = freshAddress();
  for (let round = 0; round < 3; round++) {
    for (let wrong = 0; wrong < 9; wrong++) await tryCode('33333333', address);
    assert.is((await tryCode(quickCode, address)).status, 200);
  }
});

test('five random codes that are in use: CONFLICT, and the old code stays valid; there is no sixth attempt', async () => {
  const { quickCode } = await issue();
  const other = await buildTenant(app);
  const holder = { id: other.people.STUDENT.id, organizationId: other.organizationId };
  let draws = 0;
  const draw = () => {
    draws++;
    return quickCode;
  };
  const refusal = await inContext(app.database.app, { organizationId: other.organizationId }, (trx) =>
    issueQuickCodes({ trx, cipher: app.services.cipher, now: app.clock.now(), draw }, [holder]),
  ).catch((error: { code: string }) => error.code);
  assert.equal([refusal, draws], ['CONFLICT', 5]);
  assert.is((await tryCode(quickCode)).status, 200);
});

test('a random code that is in use is drawn again', async () => {
  const { quickCode } = await issue();
  const { STUDENT } = (await buildTenant(app)).people;
  const draws = [quickCode, 'ZZZZ2222'];
  const issued = await inContext(app.database.app, 'SUPER', (trx) =>
    issueQuickCodes({ trx, cipher: app.services.cipher, now: app.clock.now(), draw: () => draws.shift() ?? '' }, [
      { id: STUDENT.id, organizationId: STUDENT.organizationId ?? '' },
    ]),
  );
  assert.is(issued[0]?.quickCode, 'ZZZZ2222');
});

test('a class gets a code for every student, in the order of their names', async () => {
  const { owner } = app.database;
  await owner('app_user').where({ id: tenant.people.STUDENT.id }).update({ fullNameAr: 'ياسر' });
  await buildStudent(owner, tenant.classRow, { fullNameAr: 'أحمد' });
  const { token } = tenant.people.TEACHER;
  const { status, body } = await app.post<{ items: { fullNameAr: string; quickCode: string }[] }>(
    `/api/classes/${tenant.classRow.id}/quick-codes`,
    undefined,
    { token },
  );
  assert.equal([status, body.items.map(({ fullNameAr }) => fullNameAr)], [201, ['أحمد', 'ياسر']]);
  for (const { quickCode } of body.items) assert.is((await tryCode(quickCode)).status, 200);
});

test('the codes of a class are printed as PDF', async () => {
  const { token } = tenant.people.TEACHER;
  const path = `/api/classes/${tenant.classRow.id}/quick-codes`;
  const reply = await app.post<string>(path, undefined, { token, headers: { accept: 'application/pdf' } });
  assert.equal([reply.status, reply.headers.get('content-type')], [201, 'application/pdf']);
  assert.match(reply.body, /^%PDF-1/);
});

test('the response to a new student has a valid code, once; other personas get none', async () => {
  const { ADMIN } = tenant.people;
  const { organizationId } = tenant;
  const student = { primaryPersona: 'STUDENT', fullNameAr: 'طالبة', organizationId, classId: tenant.classRow.id };
  const { body } = await app.post<{ id: number; quickCode: string }>('/api/users', student, { token: ADMIN.token });
  assert.is((await tryCode(body.quickCode)).status, 200);
  const seen = await app.get(`/api/users/${body.id}`, { token: ADMIN.token });
  assert.not.match(JSON.stringify(seen.body), body.quickCode);
});

test('only teachers of the class and administrators issue codes', async () => {
  const { ADMIN, PARENT, PRINCIPAL, MANAGER, STUDENT, 'TEACHER elsewhere': colleague } = tenant.people;
  const path = `/api/students/${STUDENT.id}/quick-code`;
  for (const { token, primaryPersona } of [colleague, PARENT, PRINCIPAL, MANAGER, STUDENT]) {
    assert.is((await app.post(path, undefined, { token })).status, 403, primaryPersona);
  }
  assert.is((await app.post(path, undefined, { token: ADMIN.token })).status, 201);
});

test('a code is read with the digits of any script, and wrong ones count as wrong tries', async () => {
  const { quickCode } = await issue();
  const zeros = [0x660, 0x6f0, 0x966, 0xff10];
  const typed = [...quickCode].map((letter, at) =>
    /\d/.test(letter) ? String.fromCodePoint((zeros[at % zeros.length] ?? 0) + Number(letter)) : letter,
  );
  assert.is((await tryCode(`\u200f${typed.join('‑')}`)).status, 200);
  const address = freshAddress();
  const wrong = await inParallel(11, () => tryCode('٢٢٢٢٢٢٢٢', address));
  assert.equal(tally(wrong), { '401 QUICKCODE_INVALID_OR_EXPIRED': 10, '401 QUICKCODE_RATE_LIMIT': 1 });
});

test.run();
