// What rehearsed students are evaluated from: the input of their newest run, or their evidence gathered anew.

import type { Services } from '../../kernel/services.ts';
import { loadEvidence } from '../../measurement/index.ts';
import type { Trx } from '../../platform/db.ts';
import { rowsOf } from '../../platform/sql.ts';
import type { Pipeline } from '../engine/evaluate.ts';
import { selectEvidence } from '../evaluate-run.ts';
import type { StudentYear } from '../results/previous.ts';
import type { RunInput, RunRow } from '../results/tables.ts';

/** The part of a run that its evaluation depends on, besides the rules. */
export interface RehearsedRun
  extends Pick<
    RunRow,
    'id' | 'organizationId' | 'studentId' | 'schoolYear' | 'windowFrom' | 'grade' | 'contextReview'
  > {
  readonly input: RunInput;
}

const columns =
  'r.id, r.organization_id, r.student_id, r.school_year, r.window_from, r.grade, r.context_review, r.input';

/** The newest run of each student's school year that looked no later than `asOf`; none before the first one. */
export const newestRuns = (
  trx: Trx,
  organizationId: string,
  students: readonly StudentYear[],
  asOf: string,
): Promise<RehearsedRun[]> =>
  rowsOf(
    trx,
    `select ${columns}
     from unnest(:studentIds::bigint[], :schoolYears::text[]) as t (student_id, school_year)
     cross join lateral (select * from sse_run r
       where r.organization_id = :organizationId and r.student_id = t.student_id and r.school_year = t.school_year
         and r.as_of <= :asOf order by r.seq desc limit 1) r
     order by r.student_id`,
    {
      organizationId,
      asOf,
      studentIds: students.map(({ studentId }) => studentId),
      schoolYears: students.map(({ schoolYear }) => schoolYear),
    },
  );

export const runsById = (trx: Trx, organizationId: string, ids: readonly string[]): Promise<RehearsedRun[]> =>
  rowsOf(
    trx,
    `select ${columns} from sse_run r
     where r.organization_id = :organizationId and r.id = any(:ids::text[]) order by r.student_id`,
    { organizationId, ids },
  );

/** `inputHash`: SHA-256 of the input's canonical text. */
export interface GatheredInput {
  readonly input: RunInput;
  readonly inputHash: string;
}

type Evidence = Awaited<ReturnType<typeof loadEvidence>>;

/** By student: the evidence from each run's window up to `asOf`, made as these rules would. */
export async function readEvidence(
  trx: Trx,
  { itemBanks }: Pick<Services, 'itemBanks'>,
  runs: readonly RehearsedRun[],
  pipeline: Pipeline,
  asOf: string,
): Promise<Evidence> {
  const [first] = runs;
  if (!first) return new Map();
  const { organizationId } = first;
  const students = runs.map(({ studentId, windowFrom }) => ({ studentId, from: windowFrom, to: asOf }));
  return loadEvidence(trx, { organizationId, students, rules: pipeline, itemBanks });
}

/** By run: its student's evidence, cut as these rules would. */
export function gatherEvidence(
  runs: readonly RehearsedRun[],
  sessions: Evidence,
  pipeline: Pipeline,
  asOf: string,
): Map<string, GatheredInput> {
  return new Map(
    runs.map(({ id, studentId, schoolYear, windowFrom }) => {
      const situation = { schoolYear: { name: schoolYear, from: windowFrom }, asOf };
      return [id, selectEvidence(sessions.get(studentId) ?? [], situation, pipeline)];
    }),
  );
}
