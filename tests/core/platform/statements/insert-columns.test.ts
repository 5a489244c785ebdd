// Rows sent by column are stored unchanged, whatever their texts contain.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ColumnTypes, insertColumns } from '#core/platform/statements/insert-columns.ts';
import { useDatabase } from '../../../harness/database.ts';

const test = suite('inserting by columns');
const { owner } = useDatabase(test);

interface Row {
  readonly runId: string;
  readonly label: string | null;
  readonly seen: number | null;
  readonly share: number;
  readonly isGood: boolean;
  readonly at: string;
  readonly words: readonly string[];
  readonly facts: object | string | null;
}

const types: ColumnTypes<Row> = {
  runId: 'text',
  label: 'text',
  seen: 'bigint',
  share: 'numeric',
  isGood: 'boolean',
  at: 'timestamptz',
  words: 'text[]',
  facts: 'json',
};

const plain: Row = {
  runId: 'run',
  label: 'plain',
  seen: 1,
  share: 0.25,
  isGood: true,
  at: '2026-01-10T07:00:00.000Z',
  words: ['one', 'two'],
  facts: { a: [1, null, 'x'] },
};

/** Returns the rows of the table by their ids, and the returned ids. */
async function stored(rows: readonly Row[]) {
  const trx = await owner.transaction();
  try {
    await trx.raw(`create temp table inserted (id bigint generated always as identity, run_id text, label text,
      seen bigint, share numeric, is_good boolean, at timestamptz, words text[], facts json) on commit drop`);
    const ids = (await insertColumns(trx, 'inserted', rows, types)).map(({ id }) => Number(id));
    const found: (Row & { id: number; text: string | null })[] = await trx('inserted')
      .orderBy('id')
      .select('*', trx.raw('facts::text as text'));
    return { ids, found };
  } finally {
    await trx.rollback();
  }
}

test('texts with quotes, separators, line breaks and NULL in words; nulls; lists; one row and many', async () => {
  const labels = ['a "b" \\ {c}, d', 'NULL', 'null', '', ' ', null, 'two\nlines', "it's", 'كتاب', '?', '{}'];
  const lists = [[], ['a "b"', 'c,d', 'NULL', '\\', ''], ['كتاب']];
  const many = labels.map(
    (label, at): Row => ({
      ...{ ...plain, label, runId: `run-${at}`, seen: at % 2 ? null : at, isGood: at % 3 === 0 },
      ...{ words: lists[at % lists.length] ?? [], facts: at % 4 === 0 ? null : { said: label, at } },
    }),
  );
  for (const rows of [many, [plain], [plain, plain, plain]]) {
    const { ids, found } = await stored(rows);
    assert.equal(
      found.map(({ id }) => id),
      ids,
    );
    const contents = found.map(({ id: _id, text: _text, ...row }) => row);
    assert.equal(contents, rows);
  }
  assert.equal((await stored([])).found, []);
});

test('a JSON text is stored as it is written', async () => {
  const texts = ['{"b":1,"a":[1.50, "x"]}', '{"a":2}'];
  const { found } = await stored(texts.map((facts) => ({ ...plain, facts })));
  assert.equal(
    found.map(({ text }) => text),
    texts,
  );
});

test('a list with a line break is refused, and so is JSON on several lines', async () => {
  for (const row of [
    { ...plain, words: ['two\nlines'] },
    { ...plain, facts: '{\n}' },
  ]) {
    const thrown = await stored([row, plain]).catch((error: unknown) => error);
    assert.instance(thrown, RangeError);
  }
});

test.run();
