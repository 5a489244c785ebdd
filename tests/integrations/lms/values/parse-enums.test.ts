// Every word of every spelling means the same in a file and in an answer of a service; one that no one knows makes its row
// unreadable, and neither deletes nor enables any person.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SourceRow } from '#integrations/lms/csv/content.ts';
import { parseSet, unpacked } from '#integrations/lms/csv/set/parse.ts';
import { enrollmentOf, personOf } from '#integrations/lms/providers/oneroster/rows.ts';
import { newSpan } from '#integrations/lms/values/dates.ts';
import { enrollment, user11 } from '../../../harness/lms/one-roster.ts';
import { jsonFiles, type Roster, rosterSet } from '../sets.ts';

const spellings = (word: string) => [
  ...new Set([
    ...[word, word.toUpperCase(), word.toLowerCase(), ` ${word} `],
    word.charAt(0).toUpperCase() + word.slice(1),
  ]),
];

/** `active`, `inactive` or `bad`. */
type Meaning = string;

async function filed(roster: Roster, file: SourceRow['file']): Promise<Record<string, unknown>> {
  const { pages } = await parseSet(jsonFiles(rosterSet({ classes: [{ id: 'A', title: 'A' }], ...roster })), true);
  const row = pages.flatMap((page) => unpacked(page)).find((one) => one.file === file);
  return { ...row?.content };
}

const meaningOf = ({ isBad, active }: Record<string, unknown>): Meaning =>
  isBad ? 'bad' : active ? 'active' : 'inactive';

const inFile = async (more: { readonly status?: string; readonly enabled?: string }) =>
  meaningOf(await filed({ people: [{ id: 's', ...more }], enrolled: [] }, 'users'));

function inAnswer(more: object): Meaning {
  const row = personOf(user11('s', 'student', more), newSpan(), '2026-01-12').settled();
  return row.kind === 'fault' ? 'bad' : meaningOf({ active: row.active });
}

const statuses: Readonly<Record<string, Meaning>> = {
  ...{ active: 'active', '': 'active', tobedeleted: 'inactive', inactive: 'inactive' },
  ...{ deleted: 'bad', enabled: 'bad', '1': 'bad', true: 'bad', 'to be deleted': 'bad', نشط: 'bad' },
};

const enabledWords: Readonly<Record<string, Meaning>> = {
  ...{ '': 'active', true: 'active', '1': 'active', yes: 'active' },
  ...{ false: 'inactive', '0': 'inactive', no: 'inactive' },
  ...{ on: 'bad', off: 'bad', y: 'bad', '2': 'bad', active: 'bad', '-': 'bad' },
};

test('status: the same both ways, whatever its capitals', async () => {
  for (const [word, meaning] of Object.entries(statuses)) {
    for (const status of spellings(word)) {
      assert.is(await inFile({ status }), meaning, `file: ${status}`);
      assert.is(inAnswer({ status }), meaning, `answer: ${status}`);
    }
  }
});

test('enabledUser: the same both ways, also as a number and as a flag', async () => {
  for (const [word, meaning] of Object.entries(enabledWords)) {
    for (const enabled of spellings(word)) {
      // A file's empty cell is written by the factory as true.
      if (enabled.trim() !== '') assert.is(await inFile({ enabled }), meaning, `file: ${enabled}`);
      assert.is(inAnswer({ enabledUser: enabled }), meaning, `answer: ${enabled}`);
    }
  }
  for (const [value, meaning] of [
    ...([true, 1, null, undefined] as const).map((value) => [value, 'active'] as const),
    ...([false, 0] as const).map((value) => [value, 'inactive'] as const),
    ...([2, {}, [], [true]] as const).map((value) => [value, 'bad'] as const),
  ]) {
    assert.is(inAnswer({ enabledUser: value }), meaning, JSON.stringify(value));
  }
});

const roles: Readonly<Record<string, string>> = {
  ...{ student: 'student', teacher: 'teacher', guardian: 'guardian', parent: 'guardian', relative: 'guardian' },
  ...{ administrator: 'other', aide: 'other', counselor: 'other', districtAdministrator: 'other', principal: 'other' },
  ...{ proctor: 'other', siteAdministrator: 'other', systemAdministrator: 'other', pupil: 'bad', 'ext:coach': 'bad' },
};

test('role: the same both ways, of people and of enrollments', async () => {
  for (const [word, expected] of Object.entries(roles)) {
    for (const role of spellings(word)) {
      const user = await filed({ people: [{ id: 's', role }], enrolled: [] }, 'users');
      assert.is(user.isBad ? 'bad' : (user.roles as string[])[0], expected, `file: ${role}`);
      const person = personOf(user11('s', role), newSpan(), '2026-01-12').settled();
      assert.is(person.kind === 'fault' ? 'bad' : person.roles[0], expected, `answer: ${role}`);
      const enrolled = { people: [{ id: 's' }], enrolled: [{ course: 'A', person: 's', role }] };
      const filedRow = await filed(enrolled, 'enrollments');
      assert.is(filedRow.isBad ? 'bad' : filedRow.role, expected, `file: ${role}`);
      const row = enrollmentOf(enrollment('e', 'A', 's', role), newSpan())?.settled();
      assert.is(row?.kind === 'fault' ? 'bad' : row?.role, expected, `answer: ${role}`);
    }
  }
});

test('primary: the same both ways', async () => {
  const words = { true: true, '1': true, yes: true, false: false, '0': false, no: false, main: 'bad' };
  for (const [word, expected] of Object.entries(words)) {
    for (const primary of spellings(word)) {
      const enrolled = { people: [{ id: 's' }], enrolled: [{ course: 'A', person: 's', role: 'teacher', primary }] };
      const filedRow = await filed(enrolled, 'enrollments');
      assert.is(filedRow.isBad ? 'bad' : filedRow.primary, expected, `file: ${primary}`);
      const row = enrollmentOf(enrollment('e', 'A', 's', 'teacher', { primary }), newSpan())?.settled();
      assert.is(row?.kind === 'enrollment' ? row.primary : 'bad', expected, `answer: ${primary}`);
    }
  }
});

/** Cells of one column, and the days that they are; `bad`: unreadable. */
const columns: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['days', ['2026-01-31', '2026-02-30'], ['2026-01-31', 'bad']],
  ['date-times', ['2026-01-11T00:00:00.000Z', '2026-01-11 08:30'], ['2026-01-11', '2026-01-11']],
  ['date-times with a zone', ['2026-01-11T23:30:00+03:00'], ['2026-01-11']],
  ['dots', ['1.9.2026', '31.12.2026', '31.6.2026'], ['2026-09-01', '2026-12-31', 'bad']],
  ['month first alone', ['1/9/2026', '12/31/2026'], ['2026-01-09', '2026-12-31']],
  ['day first alone', ['1/9/2026', '31/12/2026'], ['2026-09-01', '2026-12-31']],
  ['both orders', ['1/9/2026', '2/3/2026'], ['bad', 'bad']],
  ['neither order', ['31/12/2026', '12/31/2026'], ['bad', 'bad']],
  ['one that is no day', ['1/9/2026', '13/13/2026'], ['bad', 'bad']],
  [
    'mixed forms, of which a/b is settled',
    ['2026-01-11', '12/31/2026', '5.1.2026'],
    ['2026-01-11', '2026-12-31', '2026-01-05'],
  ],
  [
    'other forms',
    ['11 Jan 2026', '20260111', '46033', '26-01-11', 'x'.repeat(70)],
    ['bad', 'bad', 'bad', 'bad', 'bad'],
  ],
];

for (const [name, cells, days] of columns) {
  test(`dates, the same both ways: ${name}`, async () => {
    const people = cells.map((_, at) => ({ id: `s${at}` }));
    const enrolled = cells.map((from, at) => ({ id: `e${at}`, course: 'A', person: `s${at}`, from }));
    const set = rosterSet({ classes: [{ id: 'A', title: 'A' }], people, enrolled });
    const { pages } = await parseSet(jsonFiles(set), false);
    const filedDays = pages
      .flatMap((page) => unpacked(page))
      .filter(({ file }) => file === 'enrollments')
      .map(({ content }) =>
        'isBad' in content && content.isBad ? 'bad' : 'from' in content ? content.from : undefined,
      );
    assert.equal(filedDays, [...days]);
    const span = newSpan();
    const read = cells.map((beginDate, at) =>
      enrollmentOf(enrollment(`e${at}`, 'A', 's', 'student', { beginDate }), span),
    );
    const reported = read.map((one) => one?.settled());
    assert.equal(
      reported.map((one) => (one?.kind === 'enrollment' ? one.from : 'bad')),
      [...days],
    );
  });
}

test('a column with one order does not settle the other one', async () => {
  const span = newSpan();
  const dates = { beginDate: '12/31/2025', endDate: '1/2/2026' };
  const row = enrollmentOf(enrollment('e', 'A', 's', 'student', dates), span)?.settled();
  assert.is(row?.kind, 'fault');
});

test.run();
