// Compilation per bundle is cached, and a missing document is refused as an unavailable part.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { AppError } from '#core/platform/errors.ts';
import { perBundle, pinBundle } from '#rules/rulesets/index.ts';

test('each bundle is compiled once', () => {
  let compiled = 0;
  const versionsOf = perBundle(({ versions }) => {
    compiled += 1;
    return { versions };
  }, 'Nothing is missing.');
  const [one, other] = [pinBundle([]), pinBundle([])];
  assert.is(versionsOf(one), versionsOf(one));
  assert.is.not(versionsOf(one), versionsOf(other));
  assert.is(compiled, 2);
});

test('a missing document is ENGINE_UNAVAILABLE, any other error is rethrown unchanged', () => {
  const settingsOf = perBundle((bundle) => bundle.values<object>('profile/settings'), 'The settings are missing.');
  const refused = (error: Error) =>
    error instanceof AppError && error.code === 'ENGINE_UNAVAILABLE' && error.message === 'The settings are missing.';
  assert.throws(() => settingsOf(pinBundle([])), refused);
  const broken = perBundle((): object => {
    throw new RangeError('unreadable');
  }, 'The settings are missing.');
  assert.throws(
    () => broken(pinBundle([])),
    (error: Error) => error instanceof RangeError,
  );
});

test.run();
