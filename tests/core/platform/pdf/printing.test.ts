// Pages are rendered in a thread: a document is a value, and the process continues its work.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ruled } from '#core/platform/pdf/layouts.ts';
import { type Printed, renderPdf } from '#core/platform/pdf/printer.ts';
import { arabic } from '#core/platform/pdf/text.ts';
import { startWorkerPool } from '#core/platform/process/worker-pool.ts';

const frame = { title: 'x', madeAt: new Date('2026-01-15T08:00:00Z'), fontSize: 12 };

const pagesOf = (rows: number): Printed => ({
  ...frame,
  foot: [{ words: 'صفحة {page} من {pages}', direction: 'rightToLeft', style: { fontSize: 10 } }],
  content: {
    table: { widths: ['*'], body: Array.from({ length: rows }, (_, at) => [arabic(`السطر ${at}`)]) },
    layout: ruled({ hLineWidth: 0.5, paddingTop: 4 }),
  },
});

test('a process continues its work while many pages are rendered', async () => {
  await renderPdf(pagesOf(1));
  let turns = 0;
  let ended = false;
  const turn = () => {
    turns += 1;
    if (!ended) setImmediate(turn);
  };
  setImmediate(turn);
  const bytes = await renderPdf(pagesOf(600));
  ended = true;
  assert.is(bytes.subarray(0, 5).toString(), '%PDF-');
  assert.ok(turns > 100, `${turns} turns of the event loop`);
});

test('documents rendered at the same time are the same as alone', async () => {
  const sizes = [1, 40, 3, 90, 7, 20];
  const alone: Buffer[] = [];
  for (const size of sizes) alone.push(await renderPdf(pagesOf(size)));
  const together = await Promise.all(sizes.map((size) => renderPdf(pagesOf(size))));
  for (const [at, bytes] of together.entries()) assert.ok(bytes.equals(alone[at] ?? Buffer.alloc(0)), `document ${at}`);
});

/** Letters and digits of the Arabic block: each alone, at the beginning, in the middle and at the end of a word. */
const characters = Array.from({ length: 0xd4 }, (_, at) => String.fromCodePoint(0x600 + at)).filter((one) =>
  /[\p{L}\p{Nd}]/u.test(one),
);
/** Characters that look alike are in different ones: Arabic and Persian digits are 144 apart. */
const sheetCount = 13;
const sheets = Array.from({ length: sheetCount }, (_, no) => ({
  ...frame,
  parts: [
    {
      content: characters
        .filter((_one, at) => at % sheetCount === no)
        .map((one) => arabic(`${one} ${one}س${one}س${one}`)),
    },
  ],
}));

/** Prints in a new thread, one after the other. */
async function printedInOrder(order: typeof sheets): Promise<Buffer[]> {
  const thread = startWorkerPool({ program: 'workers/printing/worker.ts', data: null, count: 1 });
  const printed: Buffer[] = [];
  for (const sheet of order) printed.push(Buffer.from((await thread.run('print', sheet)) as Uint8Array));
  await thread.stop();
  return printed;
}

test('a document has the same bytes whatever its thread has printed before, for every letter and digit', async () => {
  const [there, back] = await Promise.all([printedInOrder(sheets), printedInOrder(sheets.toReversed())]);
  const differing = there.flatMap((bytes, at) => (bytes.equals(back.at(-1 - at) ?? Buffer.alloc(0)) ? [] : [at]));
  assert.equal([there.length, differing], [sheetCount, []]);
});

test('content that cannot be cloned is refused at once, and the next document is rendered', async () => {
  const layout = { hLineWidth: () => 1 };
  const content = { table: { body: [[arabic('كلمة')]] }, layout };
  await renderPdf({ ...frame, content }).then(
    () => assert.unreachable(),
    (error) => assert.is(error.name, 'DataCloneError'),
  );
  assert.ok((await renderPdf(pagesOf(2))).length > 1000);
});

test.run();
