// No response reveals whether an e-mail address, code or account exists, neither by text nor by the work behind it.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildUser, password, passwordHash } from '../../harness/factories.ts';
import type { Reply } from '../../harness/fetch.ts';
import { useApp } from '../../harness/http.ts';
import { from, noGeneralLimits } from '../support.ts';

const app = useApp(test, { settings: noGeneralLimits, fullHashCost: true });
const { owner } = app.database;
let nextAddress = 1;
const freshAddress = () => from(`198.51.100.${nextAddress++}`);

/** Returns everything by which a caller could distinguish two responses. */
function visible({ status, body, headers }: Reply): string {
  const perRequest = new Set(['x-request-id', 'date']);
  return JSON.stringify([status, body, [...headers].filter(([name]) => !perRequest.has(name))]);
}

const login = (email: string, tried = 'a wrong password') =>
  app.post('/api/auth/login', { email, password: tried }, { headers: freshAddress() });

const known = async (overrides: object = {}) =>
  (await buildUser(owner, 'TEACHER', { passwordHash: await passwordHash(), ...overrides })).email ?? '';

test('unknown, known, without a password, closed: the same response', async () => {
  const answers = new Set<string>();
  answers.add(visible(await login('nobody@example.org')));
  answers.add(visible(await login(await known())));
  answers.add(visible(await login(await known({ passwordHash: null }))));
  answers.add(visible(await login(await known({ status: 'inactive' }), password)));
  assert.is(answers.size, 1, [...answers].join('\n'));
});

test('locked: the same response, known or not', async () => {
  const answers = new Set<string>();
  for (const email of [await known(), 'ghost@example.org']) {
    for (let time = 0; time < 5; time++) await login(email);
    answers.add(visible(await login(email)));
  }
  assert.is(answers.size, 1, [...answers].join('\n'));
});

/**
 * Returns the kinds of the statements of a login: a measure of work that does not depend on the load of the machine.
 */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = [];
  const note = ({ sql }: { sql: string }) => seen.push(sql);
  app.database.app.on('query', note);
  await work();
  app.database.app.removeListener('query', note);
  return seen;
}

test('the work is the same: statement by statement', async () => {
  const email = await known();
  const forUnknown = await statementsOf(() => login('stranger@example.org'));
  assert.ok(forUnknown.length > 3);
  assert.equal(await statementsOf(() => login(email)), forUnknown);
});

test('the time is comparable: the password of an unknown account is checked as slowly as that of a known one', async () => {
  const emails = await Promise.all(Array.from({ length: 12 }, () => known()));
  const tookMs = async (name: string) => {
    const startedAt = performance.now();
    await login(name);
    return performance.now() - startedAt;
  };
  const median = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  const [ofKnown, ofUnknown]: [number[], number[]] = [[], []];
  // The addresses alternate, so that the load of the machine affects both alike.
  for (const [index, email] of emails.entries()) {
    ofKnown.push(await tookMs(email));
    ofUnknown.push(await tookMs(`missing${index}@example.org`));
  }
  const ratio = median(ofKnown) / median(ofUnknown);
  // Without the check against a dummy hash the ratio is far above 3.
  assert.ok(ratio > 1 / 2.5 && ratio < 2.5, `ratio ${ratio}`);
});

test('a wrong, an expired and a closed account’s quick code: the same response', async () => {
  const { id, organizationId } = await buildUser(owner, 'STUDENT', { status: 'inactive' });
  const now = app.clock.now();
  const hash = app.services.cipher.keyedHash('quick_code', 'CLSD2222');
  const row = { organizationId, studentId: id, codeHash: hash, issuedAt: now };
  await owner('quick_code').insert({ ...row, expiresAt: new Date(now.getTime() + 60_000) });
  const tryCode = (quickCode: string) =>
    app.post('/api/auth/quickcode', { quickCode }, { headers: freshAddress() }).then(visible);
  const answers = new Set([await tryCode('CLSD2222'), await tryCode('NNNN2222')]);
  await owner('app_user').where({ id }).update({ status: 'active' });
  await owner('quick_code').update({ expiresAt: now });
  answers.add(await tryCode('CLSD2222'));
  assert.is(answers.size, 1, [...answers].join('\n'));
});

test.run();
