// Appends what runs decided, and promises the events that tell others of it. All of it in the caller's transaction.
import type { Trx } from '../../platform/db.ts';
import { type OutboxEvent, promise } from '../../platform/outbox.ts';
import { insertRows } from '../../platform/sql.ts';
import type { DomainContent, SkillContent } from '../results/rows.ts';
import type { CodeRow, DomainRow, RunRow, SkillRow, TileRow } from '../results/tables.ts';

/** The rows of one run. */
export interface RunRecord {
  readonly run: RunRow;
  readonly codes: readonly CodeRow[];
  readonly skills: readonly SkillContent[];
  readonly domains: readonly DomainContent[];
  readonly tiles: readonly TileRow[];
}

export async function appendRuns(trx: Trx, records: readonly RunRecord[], now: Date): Promise<void> {
  const all = <Row>(rowsOf: (record: RunRecord) => readonly Row[]): Row[] => records.flatMap(rowsOf);
  const runs = all(({ run }) => [run]);
  await insertRows(trx, 'sse_run', runs);
  await insertRows(
    trx,
    'sse_response_code',
    all(({ codes }) => codes),
  );
  const skills = await insertRows<SkillRow>(
    trx,
    'sse_skill_snapshot',
    all(({ skills }) => skills),
    [...announced, 'subSkillCode'],
  );
  const domains = await insertRows<DomainRow>(
    trx,
    'sse_domain_snapshot',
    all(({ domains }) => domains),
    [...announced, 'domainCode'],
  );
  await insertRows(
    trx,
    'sse_macro_snapshot',
    all(({ tiles }) => tiles),
  );
  await promise(trx, now, [...skills.map(skillEvent), ...domains.map(domainEvent), ...runs.map(macroEvent)]);
}

/** Ids and closed words: whoever needs more reads the row. */
const announced = ['id', 'organizationId', 'studentId', 'runId', 'outcome', 'status'];

const skillEvent = (row: SkillRow): OutboxEvent => ({
  organizationId: row.organizationId,
  topic: 'skill_status.snapshot',
  payload: { ...snapshotPayload(row), subSkillCode: row.subSkillCode },
});

const domainEvent = (row: DomainRow): OutboxEvent => ({
  organizationId: row.organizationId,
  topic: 'domain_status.snapshot',
  payload: { ...snapshotPayload(row), domainCode: row.domainCode },
});

const snapshotPayload = ({ id, studentId, runId, outcome, status }: SkillRow | DomainRow) => ({
  studentId,
  runId,
  snapshotId: id,
  outcome,
  status,
});

const macroEvent = ({ organizationId, studentId, id: runId, halted }: RunRow): OutboxEvent => ({
  organizationId,
  topic: 'macro.updated',
  payload: { studentId, runId, halted },
});
