// The samples: a document of every kind that leaves the service on paper, small enough, and the same each time.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { samples } from '../../scripts/samples/samples.ts';
import { canReadPages, needsReader, pdfInfo, textOf } from '../platform/pdf/pdf-text.ts';
import { skipped } from '../support/needs.ts';

const mostBytes = (name: string): number => (name.startsWith('letters-') ? 3_000_000 : 500_000);

/** Begins of names: each kind of document, and the pages that stand in the place of one. */
const kinds = ['letter.pdf', 'letter.html', 'letter-more-data', 'letters-of-a-class', 'class-report', 'board-report'];

function define(): void {
  test('every kind of document is made: A4, no larger than it may be, its font inside, nobody in its description', async () => {
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

  test('a letter, and a report with charts, are the same bytes when they are made again', async () => {
    for (const { name, make } of await samples()) {
      if (!['letter.pdf', 'class-report.pdf', 'board-report-of-one-school.pdf'].includes(name)) continue;
      assert.ok((await make()).equals(await make()), name);
    }
  });

  test('under each bar stands every number of its row in the table that fits there, and no other one', async () => {
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
