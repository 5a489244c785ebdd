// Masks, form readers and type readers on ten hostile texts of maximum length: at most 5 ms of processor time each.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { bodyValue } from '#core/http/checks/body-value.ts';
import { formValue, isForm } from '#core/http/checks/form.ts';
import { masked, nameWordsOf, withoutQuery } from '#identity/client-logs/masking.ts';
import { adversarialFillings } from '../../contract/requests/fillings.ts';

const mostMs = 5;
const names = nameWordsOf(['Sara Ali', 'سارة']);
const attempt = (work: () => unknown) => {
  try {
    work();
  } catch {
    // The time limit applies to refusals too.
  }
};
const readers: readonly (readonly [string, number, (text: string) => unknown])[] = [
  ['a message of a browser', 1_000, (text) => masked(text, names)],
  ['a message after a letter', 1_000, (text) => masked(`ا${text}`, names)],
  ['an address of a browser', 2_048, (text) => withoutQuery(text, names)],
  ['a Content-Type', 16_000, (text) => isForm(text)],
  ['a boundary', 16_000, (text) => formValue(Buffer.from('--b--'), `multipart/form-data;${text}`)],
  [
    'a type of JSON',
    16_000,
    (text) =>
      bodyValue({
        bytes: Buffer.from('{}'),
        contentType: `application/json;${text}`,
        contentEncoding: 'identity',
        isForm: false,
      }),
  ],
  [
    'the head of a part',
    1_900,
    (text) =>
      formValue(
        Buffer.from(`--b\r\ncontent-disposition: form-data;${text}\r\n\r\n\r\n--b--`),
        'multipart/form-data; boundary=b',
      ),
  ],
];

for (const [what, length, read] of readers) {
  test(`${what}: linear`, () => {
    const fillings = {
      ...adversarialFillings(length),
      ats: '@'.repeat(length),
      'a; name="': 'a; name="'.repeat(length / 9),
    };
    for (const [filling, text] of Object.entries(fillings)) {
      let least = Number.POSITIVE_INFINITY;
      for (let run = 0; run < 8 && least > mostMs; run++) {
        const before = process.cpuUsage();
        attempt(() => read(text.slice(0, length)));
        least = Math.min(least, process.cpuUsage(before).user / 1_000);
      }
      assert.ok(least <= mostMs, `${filling}: ${least.toFixed(1)} ms`);
    }
  });
}

test.run();
