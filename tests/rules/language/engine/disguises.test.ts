// Two disguises of a label at once, in every pair: marks, invisible letters, stretching, other forms, entities,
// drawn-out letters, separated letters, signs, emoji and line breaks inside a word, and both ways of reversing it.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { setKeys, shippedCheck } from '../sets.ts';

interface Writing {
  readonly cells: readonly string[];
  /** Inserted before each letter except the first. */
  readonly between: readonly string[];
  readonly turned: readonly ('override' | 'reversed')[];
  readonly asEntities: boolean;
}

const plain = (word: string): Writing => ({
  ...{ cells: [...word], between: [...word].slice(1).map(() => ''), turned: [], asEntities: false },
});

const eachCell =
  (change: (cell: string, at: number) => string) =>
  (one: Writing): Writing => ({ ...one, cells: one.cells.map(change) });

const inside =
  (sign: string, indexIn: (letters: number) => number) =>
  (one: Writing): Writing => {
    const at = indexIn(one.cells.length);
    return { ...one, between: one.between.map((known, index) => (index === at ? known + sign : known)) };
  };

const middle = (letters: number) => Math.floor(letters / 2) - 1;
const late = (letters: number) => letters - 2;

const otherForms: Readonly<Record<string, string>> = { ا: 'أ', ي: 'ی', ك: 'ک', ة: 'ھ', ف: 'ڡ' };

const disguises: Readonly<Record<string, (one: Writing) => Writing>> = {
  marks: eachCell((cell) => `${cell}\u064e`),
  unseen: eachCell((cell, at) => cell + (['\u200b', '\u200d', '\u2066'][at % 3] ?? '')),
  stretched: eachCell((cell) => `${cell}ـ`),
  'other forms': eachCell((cell) => [...cell].map((unit) => otherForms[unit] ?? unit).join('')),
  entities: (one) => ({ ...one, asEntities: true }),
  'drawn out': eachCell((cell, at) => (at === 1 ? [...cell].map((unit) => unit.repeat(5)).join('') : cell)),
  apart: (one) => ({ ...one, between: one.between.map((sign) => `${sign} `) }),
  hyphen: inside('-', middle),
  underscore: inside('_', late),
  picture: inside('🙂', middle),
  'line break': inside('\n', late),
  'full stop': inside('.', middle),
  override: (one) => ({ ...one, turned: [...one.turned, 'override'] }),
  reversed: (one) => ({ ...one, turned: [...one.turned, 'reversed'] }),
};

function written({ cells, between, turned, asEntities }: Writing): string {
  const entity = (cell: string) => [...cell].map((unit) => `&#${unit.codePointAt(0)};`).join('');
  let parts = cells.flatMap((cell, at) => [at === 0 ? '' : (between[at - 1] ?? ''), asEntities ? entity(cell) : cell]);
  for (const how of turned)
    parts = how === 'override' ? ['\u202d', ...parts.toReversed(), '\u202c'] : parts.toReversed();
  return parts.join('');
}

const words = ['ضعيف', 'وللضعيفات', 'كسول', 'فاشل', 'بليد', 'راسب'];
const tier = { family: 'parent', student: 'student', staff: 'reports' } as const;

for (const key of setKeys) {
  const check = shippedCheck(key);
  for (const [first, one] of Object.entries(disguises))
    for (const [second, other] of Object.entries(disguises))
      test(`${key}: ${first}, then ${second}`, () => {
        for (const word of words) {
          const text = `قيل «${written(other(one(plain(word))))}» ثم`;
          assert.not.ok(check(text, tier[key]).safe, JSON.stringify(text));
        }
      });
}

test('the reported text, and each spelling that once passed', () => {
  const check = shippedCheck('family');
  for (const text of [
    '«\u202d ن ا ف ي ع ض ل ل و \u202c»',
    ...['ض-عيف', 'ض_عيف', 'ضع🙂يف', 'ضع\nيف', 'ضعـ\r\nيف', 'فيعض', 'صعيف', 'ظعيفة', 'ضعيف🙂', '🙂ضعيف', 'ض*ع*ي*ف'],
  ])
    assert.not.ok(check(text, 'parent').safe, JSON.stringify(text));
});

test('signs and line breaks between harmless words do not form a label', () => {
  const check = shippedCheck('family');
  for (const text of ['نقرأ معًا/نكتب معًا', 'كتاب-قصة-صورة', 'معلم/ة', 'صباح الخير\nنلتقي غدًا', 'أحسنتم🙂شكرًا', 'و/أو'])
    assert.equal(check(text, 'parent_stricter').violations, [], text);
});

test('two thousand characters of disguise are checked in under 100 ms', () => {
  const check = shippedCheck('family');
  check('كتاب', 'parent_stricter');
  for (const filling of ['ض-', 'ض ', 'ض\n', '🙂', 'ضع🙂', '\u202dض ', 'فيعض ', 'ضضض '] as const) {
    const text = filling.repeat(Math.floor(2_000 / filling.length));
    const start = process.cpuUsage();
    check(text, 'parent_stricter');
    const { user, system } = process.cpuUsage(start);
    assert.ok(user + system < 100_000, `${JSON.stringify(filling)}: ${user + system} µs`);
  }
});

test.run();
