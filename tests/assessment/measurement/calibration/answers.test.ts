// The stored answers that calibration reads, each exclusion by one reason, and the output of the command.
import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { itemBanks } from '#assessment/content/items/banks.ts';
import { readCellAnswers } from '#assessment/measurement/calibration/answers.ts';
import { type Db, inContext } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { useDatabase } from '../../../harness/database.ts';
import { buildClass, buildOrganization, buildStudent } from '../../../harness/factories.ts';
import { nodeArgv } from '../../../harness/programs.ts';
import { simulate } from './simulated.ts';

const test = suite('answers for calibration');
const database = useDatabase(test);
const bank = await itemBanks().current();
const items = bank.cell('DEC_WORD', 'G12');
const input = {
  ...({ subSkillCode: 'DEC_WORD', gradeBand: 'G12', items } as const),
  ...{ simulated: ['sandbox'], otherFirstLanguage: new Map<number, boolean>() },
};
const at = '2026-10-01T08:00:00.000Z';

interface Sat {
  readonly status?: string;
  readonly grade?: number;
  readonly flags?: readonly string[];
  readonly marked?: readonly number[];
  readonly skipped?: readonly number[];
  readonly itemVersion?: number;
  readonly organization?: Record<string, unknown>;
}

/** Stores a diagnostic with these items and answers of the cell. Returns its student. */
async function sit(db: Db, answers: readonly (readonly [k: number, correct: boolean])[], sat: Sat = {}) {
  const organizationId = (await buildOrganization(db, sat.organization)).id;
  const classRow = await buildClass(db, { organizationId, grade: sat.grade ?? 1 });
  const student = await buildStudent(db, classRow);
  await inContext(db, 'SUPER', (trx) => store(trx, { organizationId, studentId: student.id }, answers, sat));
  return student.id;
}

async function store(
  trx: Db,
  owner: { organizationId: string; studentId: number },
  answers: readonly (readonly [k: number, correct: boolean])[],
  { status = 'FINISHED', grade = 1, flags = ['RBM-00'], marked = [], skipped = [], itemVersion }: Sat,
) {
  const sessionId = newId();
  const schoolYear = '2026-2027';
  await trx('diagnostic_session').insert({
    ...owner,
    ...{ id: sessionId, status, formCode: 'DIAG-G1-P1', partIndex: 1, partCount: 1, grade, gradeBand: 'G12' },
    ...{ season: 'BOY', schoolYear, subSkills: ['DEC_WORD'], closedSubSkills: [], seenItemIds: [] },
    ...{ pinned: JSON.stringify({}), startedAt: at, expiresAt: at },
    ...(status === 'FINISHED' && { finishedAt: at, finishReason: 'completed' }),
    activeMsUsed: 0,
  });
  for (const [index, [k, correct]] of answers.entries()) {
    const item = items[k - 1];
    if (!item) throw new RangeError(`no item ${k}`);
    const row = { organizationId: owner.organizationId, schoolYear, sessionId, seq: index + 1 };
    const servedItemId = newId();
    await trx('diagnostic_served_item').insert({
      ...{ ...row, id: servedItemId, itemId: item.id, itemVersion: itemVersion ?? item.version, servedAt: at },
      ...{ subSkillCode: 'DEC_WORD', difficultyLogit: item.difficulty, selectionTier: 1 },
    });
    const isSkipped = skipped.includes(k);
    await trx('diagnostic_response').insert({
      ...{ ...row, servedItemId, skipped: isSkipped, correct: correct && !isSkipped },
      ...{ selectedOptionIndex: isSkipped ? null : 0, reportedLatencyMs: 3000, latencyMs: 3000, receivedAt: at },
    });
  }
  const log = { source: 'diagnostic', sessionId, at, flags, facts: '{}', markedSeqs: marked, ruleVersion: 'RBM@1' };
  await trx('rbm_log').insert({ ...owner, ...log, schoolYear });
}

test('finished diagnostics count, answer by answer, by grade, without identities', async () => {
  await sit(database.owner, [[1, true], [3, false]]); // biome-ignore format: one sitting a line
  await sit(database.owner, [[2, true]], { grade: 2 }); // biome-ignore format: one sitting a line
  const { grades, sittings } = await readCellAnswers(database.app, input);
  assert.equal(grades, [1, 2]);
  const found = sittings.map(({ group, items: asked, correct }) => ({ group, asked, correct }));
  assert.equal(
    found.sort((one, other) => one.group - other.group),
    [
      { group: 0, asked: [0, 2], correct: [true, false] },
      { group: 1, asked: [1], correct: [true] },
    ],
  );
  assert.not(JSON.stringify(sittings).includes('student'));
});

const leftOut: Readonly<Record<string, Sat>> = {
  'a session that is not finished': { status: 'EXPIRED' },
  'a session worked through by guessing': { flags: ['RBM-01'] },
  'an answer with a behaviour mark': { marked: [1] },
  'a skipped answer': { skipped: [1] },
  'an answer to another version of the item': { itemVersion: 99 },
  'a demo organization': { organization: { isDemo: true } },
  'the sandbox': { organization: { slug: 'sandbox' } },
};
for (const [what, sat] of Object.entries(leftOut)) {
  test(`left out: ${what}`, async () => {
    const before = (await readCellAnswers(database.app, input)).sittings.length;
    await sit(database.owner, [[1, true]], sat);
    assert.is((await readCellAnswers(database.app, input)).sittings.length, before);
  });
}

test('a flag without relation to effort keeps the answers; the first language comes from the list', async () => {
  const before = (await readCellAnswers(database.app, input)).sittings.length;
  const student = await sit(database.owner, [[1, true]], { flags: ['RBM-06'] });
  const otherFirstLanguage = new Map([[student, true]]);
  const { sittings } = await readCellAnswers(database.app, { ...input, otherFirstLanguage });
  assert.is(sittings.length, before + 1);
  assert.is(sittings.filter((sitting) => sitting.otherFirstLanguage === true).length, 1);
});

test('the command writes a proposal: n, difficulty and standard error an item, and no names', async () => {
  const asked = items.slice(2, 7).map(({ difficulty }) => difficulty);
  for (const { correct } of simulate({ count: 40, mean: -0.5, sd: 1.5 }, asked, 41)) {
    await sit(
      database.owner,
      correct.map((right, index) => [index + 3, right] as const),
    );
  }
  const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'calibration-'));
  const file = path.join(dir, 'proposal.json');
  const outcome = await content('calibrate', 'DEC_WORD.G12', `--out=${file}`);
  assert.is(outcome, 'written');
  const proposal = JSON.parse(await fs.readFile(file, 'utf8'));
  assert.equal([proposal.version, proposal.basedOn, proposal.bankVersion], ['CAL@2', 'CAL@1', bank.version]);
  const [first] = proposal.cells['DEC_WORD.G12'].items;
  assert.is(first.id, 'DEC_WORD-G12-03');
  assert.ok(first.n >= 40 && first.se > 0 && first.difficulty >= -4);
  assert.not(/student|organization|session/.test(JSON.stringify(proposal)));
  await fs.rm(dir, { recursive: true });
});

const content = (...args: string[]): Promise<string> =>
  new Promise((resolve) => {
    const env = { ...process.env, NODE_ENV: 'test', DATABASE_URL: database.ownerUrl };
    const child = execFile(
      process.execPath,
      [...nodeArgv('scripts/author/content.ts'), ...args],
      { env },
      (_error, _out, err) => {
        resolve(child.exitCode === 0 ? 'written' : err);
      },
    );
  });

test.run();
