// Selects stored runs for a replay: those of an organization in the order of creation.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { readInput } from '../results/stored-input.ts';
import type { RunHead, RunInput } from '../results/tables.ts';

export interface RunSelection {
  readonly organizationId: string;
  /** Sequence numbers of runs: above `after`, up to `through`. */
  readonly after: number;
  readonly through: number;
  /** Runs as of `from` or later, and before `to`; ISO 8601. */
  readonly asOf?: { readonly from: string; readonly to: string };
  /** Restricts to students who are in the school or class today. */
  readonly within?: { readonly schoolId: string } | { readonly classId: number };
}

export interface NumberedRun extends RunHead {
  readonly seq: number;
  /** The stored text of the input. */
  readonly inputText: string;
}

/** The input is read as text, which is hashed and compared directly and rarely parsed. */
const columns = `r.id, r.organization_id, r.student_id, r.school_year, r.trigger, r.trigger_ref, r.as_of, r.window_from,
  r.window_to, r.grade, r.context_review, r.outcome, r.halted, r.next_data_action, r.evaluated_sub_skills,
  r.input::text as input_text, r.input_hash, r.result_hash, r.response_rule_ids, r.response_codes, r.tiles, r.bundle_id,
  r.rule_versions, r.created_at, r.seq`;

/** The position of a run in the sequence, and its student. */
export type RunCursor = Pick<NumberedRun, 'seq' | 'studentId'>;

/** Returns the next runs by sequence number. */
export const nextRuns = (trx: Trx, selection: RunSelection, limit: number): Promise<RunCursor[]> =>
  rowsOf(trx, `select r.seq, r.student_id ${fromRuns(selection)} order by r.seq limit :limit`, {
    ...bindingsOf(selection),
    limit,
  });

/** Returns the runs by sequence number; runs that were erased meanwhile are missing. */
export function runsBySeq(trx: Trx, organizationId: string, seqs: readonly number[]): Promise<NumberedRun[]> {
  return rowsOf(
    trx,
    `select ${columns} from sse_run r
     where r.organization_id = :organizationId and r.seq = any(:seqs::bigint[]) order by r.seq`,
    { organizationId, seqs },
  );
}

export interface ParsedRun extends NumberedRun {
  readonly input: RunInput;
}

export const withInput = (run: NumberedRun): ParsedRun => ({ ...run, input: readInput(JSON.parse(run.inputText)) });

/** Returns the number of selected runs, counted up to `limit`. */
export async function countRuns(trx: Trx, selection: RunSelection, limit: number | null = null): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    trx,
    `select count(*) as count from (select ${fromRuns(selection)} limit :limit) r`,
    { ...bindingsOf(selection), limit },
  );
  return row?.count ?? 0;
}

/** Returns the sequence number of the newest run, 0 without any; `null` selects the whole platform. */
export async function newestRunSeq(trx: Trx, organizationId: string | null): Promise<number> {
  const owner = organizationId === null ? 'organization_id is not null' : 'organization_id = :organizationId';
  const newest = `select coalesce(max(seq), 0) as seq from sse_run where ${owner}`;
  const [row] = await rowsOf<{ seq: number }>(trx, newest, organizationId === null ? {} : { organizationId });
  return row?.seq ?? 0;
}

const fromRuns = ({ asOf, within }: RunSelection): string => `
  from sse_run r where r.organization_id = :organizationId and r.seq > :after and r.seq <= :through
    ${asOf ? 'and r.as_of >= :from::timestamptz and r.as_of < :to::timestamptz' : ''}
    ${within ? enrolledWithin('classId' in within ? 'c.id = :classId' : 'c.school_id = :schoolId') : ''}`;

const enrolledWithin = (condition: string): string => `
  and exists (select from enrollment e join class c on c.organization_id = e.organization_id and c.id = e.class_id
    where e.organization_id = r.organization_id and e.student_id = r.student_id and e.enrolled_to is null
      and ${condition})`;

const bindingsOf = ({ organizationId, after, through, asOf, within }: RunSelection) => ({
  organizationId,
  after,
  through,
  ...asOf,
  ...within,
});
