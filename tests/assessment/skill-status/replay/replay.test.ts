// Every stored run replays to equal bytes; a manipulated run does not.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { replayRun } from '#assessment/skill-status/index.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { activeRules } from '#rules/rulesets/active.ts';
import { answersOf } from '../evidence.ts';
import { type Student, useShell } from '../shell.ts';

const test = suite('replay');
const shell = useShell(test);
const { owner, app } = shell.app.database;
let student: Student;

/** Three runs with halts, conflicts, patterns, marks and a strength, of which the later ones append few rows. */
test.before(async () => {
  student = await shell.student();
  const sessions = [
    { LK_SOUND: 'CCCCC', DEC_WORD: 'CTTLU', VOC_MEANING: 'UUUUC', PA_BLEND: 'CC', LIS_LITERAL: 'U!U!U!E' },
    { VOC_MEANING: 'CCCCC', DEC_WORD: 'QATTC' },
    { PA_BLEND: 'CCCN', ACC_SHADDA: 'UTTU' },
  ];
  for (const [at, letters] of sessions.entries()) {
    const finishedAt = `2026-01-1${at}T07:00:00.000Z`;
    await shell.diagnostic(student, answersOf(letters, 1 + 10 * at), { finishedAt });
    await shell.recompute(student);
  }
});

const runIds = async () => (await shell.rows<{ id: string }>('sse_run', student)).map(({ id }) => id);

/** A process without compiled rules. */
const replay = (trx: Trx, runId: string) => replayRun(trx, activeRules(), runId);

test('every run replays to equal bytes', async () => {
  const ids = await runIds();
  assert.is(ids.length, 3);
  for (const runId of ids) {
    const result = await inContext(app, student, (trx) => replay(trx, runId));
    assert.equal(result, { runId, match: true, mismatches: [] });
  }
});

test('an input that was changed, or a row that was changed, is found', async () => {
  const [runId = ''] = await runIds();
  const tampered = async (table: string, change: string) => {
    const trx = await owner.transaction();
    try {
      await trx.raw(`alter table ${table} disable trigger user`);
      await trx.raw(change, [runId]);
      return (await replay(trx, runId)).mismatches;
    } finally {
      await trx.rollback();
    }
  };
  /** The bit of a right answer. */
  const wrongAnswer =
    "jsonb_set(input::jsonb, '{responses,0,3}', to_jsonb((input #>> '{responses,0,3}')::integer # 8))";
  assert.equal(await tampered('sse_run', `update sse_run set input = ${wrongAnswer} where id = ?`), [
    ...['result', 'codes', 'skills', 'domains'],
  ]);
  const betterTile = "update sse_run set tiles = jsonb_set(tiles, '{6,status}', '\"Meets\"') where id = ?";
  assert.equal(await tampered('sse_run', betterTile), ['tiles']);
  const otherCode = "update sse_run set response_codes[1] = 'NO_RESPONSE' where id = ?";
  assert.equal(await tampered('sse_run', otherCode), ['codes']);
});

test('a run of another organization is not visible', async () => {
  const [runId = ''] = await runIds();
  const stranger = await shell.student();
  const thrown = await inContext(app, stranger, (trx) => replay(trx, runId)).catch((error: unknown) => error);
  assert.is((thrown as { code?: string }).code, 'NOT_FOUND');
});

test.run();
