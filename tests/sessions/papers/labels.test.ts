// Minutes are counted as Arabic grammar counts them: one and two are words, three to ten take the plural, more the singular.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { minutesAr } from '../../../src/sessions/papers/pages/labels.ts';

test('one, two, three to ten, more', () => {
  assert.equal([1, 2, 3, 10, 11, 45].map(minutesAr), [
    'دقيقة واحدة',
    'دقيقتان',
    '3 دقائق',
    '10 دقائق',
    '11 دقيقة',
    '45 دقيقة',
  ]);
});

test.run();
