// Appends what runs decided, and promises the events that tell others of it. All of it in the caller's transaction.
import type { Trx } from '../platform/db.ts';
import { type OutboxEvent, promise } from '../platform/outbox.ts';
import { insertRows } from './sql.ts';
import type { CodeRow, DomainRow, RunRow, SkillRow, TileRow } from './tables.ts';

/** The rows of one run. */
export interface RunRecord {
  readonly run: RunRow;
  readonly codes: readonly CodeRow[];
  readonly skills: readonly SkillRow[];
  readonly domains: readonly DomainRow[];
  readonly tiles: readonly TileRow[];
}

export async function appendRuns(trx: Trx, records: readonly RunRecord[], now: Date): Promise<void> {
  await insertRows(
    trx,
    'sse_run',
    records.map(({ run }) => run),
  );
  await insertRows(
    trx,
    'sse_response_code',
    records.flatMap(({ codes }) => codes),
  );
  await insertRows(
    trx,
    'sse_skill_snapshot',
    records.flatMap(({ skills }) => skills),
  );
  await insertRows(
    trx,
    'sse_domain_snapshot',
    records.flatMap(({ domains }) => domains),
  );
  await insertRows(
    trx,
    'sse_macro_snapshot',
    records.flatMap(({ tiles }) => tiles),
  );
  await promise(trx, now, records.flatMap(eventsOf));
}

/** Ids and closed words: whoever needs more reads the row. */
function eventsOf({ run, skills, domains }: RunRecord): OutboxEvent[] {
  const { organizationId, studentId, id: runId } = run;
  const skillEvents = skills.map(({ id, subSkillCode, outcome, status }) => ({
    organizationId,
    topic: 'skill_status.snapshot',
    payload: { studentId, runId, snapshotId: id, subSkillCode, outcome, status },
  }));
  const domainEvents = domains.map(({ id, domainCode, outcome, status }) => ({
    organizationId,
    topic: 'domain_status.snapshot',
    payload: { studentId, runId, snapshotId: id, domainCode, outcome, status },
  }));
  const macro = { organizationId, topic: 'macro.updated', payload: { studentId, runId, halted: run.halted } };
  return [...skillEvents, ...domainEvents, macro];
}
