// How long is waited before a provider is asked again.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseRetryAfter, retryDelayMs } from '#integrations/lms/http-client/retries.ts';

test('pauses grow, whatever chance says: each longest one is shorter than the shortest of the next', () => {
  for (const tries of [1, 2, 3]) assert.ok(retryDelayMs(tries, 0.999_999) < retryDelayMs(tries + 1, 0), String(tries));
  assert.equal(
    [1, 2, 3, 4].map((tries) => retryDelayMs(tries, 0.5)),
    [500, 1_000, 2_000, 4_000],
  );
});

test('a pause is never below what the provider has asked for', () => {
  assert.is(retryDelayMs(1, 0.5, 7_000), 7_000);
  assert.is(retryDelayMs(4, 0.5, 1_000), 4_000);
});

const now = Date.parse('2026-01-15T08:00:00Z');
const cases: readonly [string, string | undefined, string | undefined, number | undefined][] = [
  ['seconds', '3', undefined, 3_000],
  ['two minutes at most', '3600', undefined, 120_000],
  ['a date, by the clock of the answer', 'Thu, 01 Jan 2026 00:00:30 GMT', 'Thu, 01 Jan 2026 00:00:10 GMT', 20_000],
  ['a date, by our clock where the answer tells none', 'Thu, 15 Jan 2026 08:00:05 GMT', undefined, 5_000],
  ['a date that has passed', 'Thu, 15 Jan 2026 07:00:00 GMT', undefined, 0],
  ['a date far away', 'Fri, 15 Jan 2027 08:00:00 GMT', undefined, 120_000],
  ['none', undefined, undefined, undefined],
  ['words', 'soon', undefined, undefined],
  ['a negative number', '-5', undefined, undefined],
  ['a fraction', '1.5', undefined, undefined],
];
for (const [what, header, date, expected] of cases) {
  test(`Retry-After: ${what}`, () => assert.is(parseRetryAfter(header, date, now), expected));
}

test.run();
