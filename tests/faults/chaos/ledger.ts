// After the kills: what the database holds against what was acknowledged. Nothing lost, nothing doubled.
import * as assert from 'uvu/assert';
import { type Db, inContext, type Trx } from '#core/platform/db.ts';
import { eventually } from '../world.ts';
import type { Acknowledged } from './student.ts';

const patienceMs = 120_000;

/** Waits until every event has been relayed and every asked-for recompute is done. */
export async function settled(owner: Db): Promise<void> {
  await eventually('no event waits and no recompute is asked for', patienceMs, () =>
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

/** The newest run of each student saw every answer of the finished sessions, and each of them once. */
async function assertRuns(trx: Trx): Promise<void> {
  const { rows } = await trx.raw(`
    with held as (
      select s.student_id, count(*) as answers from diagnostic_session s
        join diagnostic_response r on r.organization_id = s.organization_id and r.session_id = s.id
      where s.status = 'FINISHED' group by s.student_id),
    newest as (
      select distinct on (student_id) student_id, json_array_length(input -> 'responses') as answers
      from sse_run order by student_id, created_at desc, as_of desc)
    select h.student_id, h.answers as held, n.answers as judged
    from held h left join newest n on n.student_id = h.student_id where h.answers is distinct from n.answers`);
  assert.equal(rows, [], 'the newest run of every student rests on all of the answers');
}

async function columnOf(trx: Trx, table: string, column: string): Promise<string[]> {
  const rows: Record<string, string>[] = await trx(table).select(column);
  return rows.map((row) => String(row[column]));
}

const missing = (wanted: Iterable<string>, held: readonly string[]): string[] => {
  const there = new Set(held);
  return [...wanted].filter((id) => !there.has(id));
};
