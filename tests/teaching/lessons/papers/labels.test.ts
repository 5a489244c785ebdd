// Arabic number agreement of minutes: one and two are words, three to ten take the plural, more the singular.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { minutesAr } from '#teaching/lessons/papers/pages/labels.ts';

test('one, two, three to ten, more', () => {
  assert.equal([1, 2, 3, 10, 11, 45].map(minutesAr), [
    'دقيقة واحدة',
    'دقيقتان',
    '٣ دقائق',
    '١٠ دقائق',
    '١١ دقيقة',
    '٤٥ دقيقة',
  ]);
});

test.run();
