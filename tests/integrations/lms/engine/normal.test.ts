// Names and addresses of a roster as they are compared and stored (contract 80 §1).
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { accountEmail, fullName } from '#integrations/lms/engine/normal.ts';

const names: readonly (readonly [string, readonly (string | null)[], string | null])[] = [
  ['given, middle, family', ['نورة', 'سعد', 'العلي'], 'نورة سعد العلي'],
  ['parts that are missing', ['نورة', null, ''], 'نورة'],
  ['spaces of any kind are one', ['  نورة\u00a0 سعد\t', null, '\nالعلي '], 'نورة سعد العلي'],
  ['NFC: alef and hamza are one letter', ['\u0627\u0654حمد'], '\u0623حمد'],
  ['marks that turn a text', ['\u202eنورة\u202c', null, '\u2067العلي\u2069\u200f\u061c'], 'نورة العلي'],
  ['characters that no text shows', ['نو\u0000رة\u0007'], 'نورة'],
  ['nothing but marks and spaces', ['\u200e ', null, '\u202a'], null],
  ['two hundred characters', ['ن'.repeat(200)], 'ن'.repeat(200)],
  ['one more', ['ن'.repeat(201)], null],
];
for (const [what, parts, expected] of names) {
  test(`a name: ${what}`, () => assert.is(fullName(parts), expected));
}

const emails: readonly (readonly [string, string | null, string | null | undefined])[] = [
  ['spaces and capitals', '  Noura.S@School.Example ', 'noura.s@school.example'],
  ['none', null, null],
  ['an empty one', ' ', null],
  ['without a domain', 'noura@school', undefined],
  ['two signs', 'a@b@school.example', undefined],
  ['a space inside', 'no ura@school.example', undefined],
  ['254 characters', `a@${'b'.repeat(244)}.example`, `a@${'b'.repeat(244)}.example`],
  ['one more', `a@${'b'.repeat(245)}.example`, undefined],
];
for (const [what, text, expected] of emails) {
  test(`an address: ${what}`, () => assert.is(accountEmail(text), expected));
}

test.run();
