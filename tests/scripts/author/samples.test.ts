// The samples: one document of every printed kind, small enough, and the same each time.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { longName } from '../../../scripts/author/samples/people.ts';
import { samples } from '../../../scripts/author/samples/samples.ts';
import { canReadPages, needsReader, pageCount, pdfInfo, textOf } from '../../core/platform/pdf/pdf-text.ts';
import { skipped } from '../../harness/needs.ts';

const mostBytes = (name: string): number => (name.startsWith('letters-') ? 3_000_000 : 500_000);

/** Prefixes of names: each kind of document, and the pages that replace one. */
const kinds = [
  'letter.pdf',
  'letter.html',
  'letter-more-data',
  'letters-of-a-class',
  'class-report',
  'board-report',
  'decision-packet',
  'session-',
  'quick-codes',
];

function define(): void {
  test('every kind of document is rendered: A4, within its size, with its font, without personal data in its metadata', async () => {
    const made = await samples();
    for (const kind of kinds)
      assert.ok(
        made.some(({ name }) => name.startsWith(kind)),
        kind,
      );
    for (const { name, make } of made.filter((one) => one.name.endsWith('.pdf'))) {
      const bytes = await make();
      assert.ok(bytes.length <= mostBytes(name), `${name}: ${bytes.length} bytes`);
      const info = pdfInfo(bytes);
      assert.match(info, /A4/, name);
      assert.match(info, /JavaScript: +no/, name);
      assert.not.match(info, /Author|القحطاني|مدرسة/, name);
      assert.match(bytes.toString('latin1'), '/Lang (ar)', name);
      assert.ok(textOf(bytes).length > 300, `${name} can be read`);
    }
  });

  test('names of two hundred letters: two pages at most, and the slip is not split from its name', async () => {
    const letter = (await samples()).find(({ name }) => name === 'letter-longest-names.pdf');
    const bytes = (await letter?.make()) ?? Buffer.alloc(0);
    assert.ok(pageCount(bytes) <= 2);
    const pages = textOf(bytes).replaceAll(' ', '').split('\f');
    const slip = pages.find((page) => page.includes('قصاصةتُعاد')) ?? '';
    const own = slip.slice(slip.indexOf('قصاصةتُعاد'));
    for (const part of [longName.replaceAll(' ', ''), 'اسموليالأمر', 'ملاحظاتالأسرة', 'توقيعالمعلم'])
      assert.ok(own.includes(part), `${part} in ${own}`);
    assert.ok((pages[0] ?? '').includes(longName.replaceAll(' ', '')), 'never cut in the address line');
  });

  test('every page with names or results says that it is confidential and whose it is', async () => {
    for (const { name, make } of await samples()) {
      if (!name.endsWith('.pdf')) continue;
      const pages = textOf(await make())
        .split('\f')
        .filter((page) => page.trim() !== '');
      for (const [at, page] of pages.entries())
        assert.ok(page.includes('سري – مؤسسة البيان للتعليم'), `${name}, page ${at + 1}`);
      const versions = pages.filter((page) => page.includes('نسخ القواعد'));
      assert.ok(versions.length <= 1 && (versions.length === 0 || versions[0] === pages.at(-1)), name);
    }
  });

  test('two people of one name are distinguished on every document, for staff by the number of the school', async () => {
    const made = await samples();
    const read = async (name: string) =>
      textOf((await made.find((one) => one.name === name)?.make()) ?? Buffer.alloc(0));
    for (const name of [
      'letters-of-a-class.pdf',
      'session-student-sheets.pdf',
      'session-teacher-guide.pdf',
      'quick-codes.pdf',
    ])
      for (const shown of ['محمد القحطاني (أ)', 'مُحَمَّد القحطاني (ب)', 'محمد القحطانى (ج)'])
        assert.ok((await read(name)).includes(shown.normalize('NFC')), `${shown} in ${name}`);
    assert.ok((await read('quick-codes.pdf')).includes('محمد القحطاني (أ) – S-1000'));
    assert.not.match(await read('letters-of-a-class.pdf'), 'S-1000');
  });

  test('a letter, and a report with charts, have the same bytes when they are rendered again', async () => {
    for (const { name, make } of await samples()) {
      if (!['letter.pdf', 'class-report.pdf', 'board-report-of-one-school.pdf'].includes(name)) continue;
      assert.ok((await make()).equals(await make()), name);
    }
  });

  test('below each bar is every number of its row in the table that fits there, and no other one', async () => {
    const report = (await samples()).find(({ name }) => name === 'class-report-first-grade.pdf');
    const text = textOf((await report?.make()) ?? Buffer.alloc(0), '-layout');
    const [bars = '', table = ''] = text.slice(text.indexOf('مجالات القراءة في الصف')).split('المجال');
    const ends = /صفحة|الطلبة ومجالات/;
    const numbers = (of: string) => (of.split(ends)[0] ?? '').match(/\d+/g) ?? [];
    const inTable = numbers(table).filter((one) => one !== '0');
    assert.ok(inTable.length > 6, table);
    assert.equal(numbers(bars).sort(), inTable.sort());
  });
}

if (!canReadPages) skipped('samples', needsReader);
else define();

test.run();
