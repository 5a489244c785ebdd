// Compares the database after the kills with what was acknowledged: nothing is lost, nothing is doubled.
import * as assert from 'uvu/assert';
import { type Db, inContext, type Trx } from '#core/platform/db.ts';
import { eventually } from '../world.ts';
import type { Acknowledged } from './student.ts';

const timeoutMs = 120_000;

/** Waits until every event has been relayed and every requested recompute has ended. */
export async function settled(owner: Db): Promise<void> {
  await eventually('no event and no recompute request is open', timeoutMs, () =>
    inContext(owner, 'SUPER', async (trx) => {
      const { rows } = await trx.raw(`
        select (select count(*) from outbox where relayed_at is null)
          + (select count(*) from sse_recompute_request where processed_seq < requested_seq) as waiting`);
      return Number(rows[0].waiting) === 0;
    }),
  );
}

export function assertNothingLostOrDoubled(owner: Db, { answered, finished }: Acknowledged): Promise<void> {
  return inContext(owner, 'SUPER', async (trx) => {
    const responses = await columnOf(trx, 'diagnostic_response', 'servedItemId');
    assert.equal(missing(answered.keys(), responses), [], 'every acknowledged answer is stored');
    assert.is(new Set(responses).size, responses.length, 'no answer is stored twice');
    await assertSessions(trx, finished);
    await assertRuns(trx);
  });
}

async function assertSessions(trx: Trx, finished: ReadonlySet<string>): Promise<void> {
  const stored: { id: string }[] = await trx('diagnosticSession').where({ status: 'FINISHED' }).select('id');
  const ids = stored.map(({ id }) => id);
  assert.equal(missing(finished, ids), [], 'every acknowledged finish is stored');
  const events: { payload: { sessionId: string } }[] = await trx('outbox').where({ topic: 'diagnostic.finished' });
  assert.equal(
    events.map(({ payload }) => payload.sessionId).sort(),
    ids.sort(),
    'each finished session is announced once',
  );
}

/** Asserts that the newest run of each student used every answer of the finished sessions exactly once. */
async function assertRuns(trx: Trx): Promise<void> {
  const { rows } = await trx.raw(`
    with stored_answers as (
      select s.student_id, count(*) as answers from diagnostic_session s
        join diagnostic_response r on r.organization_id = s.organization_id and r.session_id = s.id
      where s.status = 'FINISHED' group by s.student_id),
    newest as (
      select distinct on (student_id) student_id, json_array_length(input -> 'responses') as answers
      from sse_run order by student_id, created_at desc, as_of desc)
    select h.student_id, h.answers as stored_answers, n.answers as evaluated
    from stored_answers h left join newest n on n.student_id = h.student_id where h.answers is distinct from n.answers`);
  assert.equal(rows, [], 'the newest run of every student rests on all of the answers');
}

async function columnOf(trx: Trx, table: string, column: string): Promise<string[]> {
  const rows: Record<string, string>[] = await trx(table).select(column);
  return rows.map((row) => String(row[column]));
}

const missing = (wanted: Iterable<string>, stored_answers: readonly string[]): string[] => {
  const there = new Set(stored_answers);
  return [...wanted].filter((id) => !there.has(id));
};
