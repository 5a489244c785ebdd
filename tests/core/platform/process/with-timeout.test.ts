import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { AppError } from '#core/platform/errors.ts';
import { withTimeout } from '#core/platform/process/with-timeout.ts';

test('a result in time is returned, an error in time is thrown', async () => {
  assert.is(await withTimeout(60_000, Promise.resolve('done')), 'done');
  const failure = new Error('broken');
  assert.is(await withTimeout(60_000, Promise.reject(failure)).catch((error: unknown) => error), failure);
});

test('longer work is refused with retryAfter, and its late failure is ignored', async () => {
  let fail = (_: Error) => {};
  const work = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const refusal: unknown = await withTimeout(1, work).catch((error: unknown) => error);
  assert.ok(refusal instanceof AppError);
  assert.equal([refusal.code, refusal.retryAfter], ['ENGINE_UNAVAILABLE', 5]);
  fail(new Error('too late'));
  await new Promise((resolve) => setImmediate(resolve));
});

test.run();
