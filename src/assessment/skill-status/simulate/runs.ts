// Loads the inputs of a simulation: each student's newest run, or newly gathered evidence.

import type { Trx } from '#core/platform/db.ts';
import { isSameJson } from '#core/platform/pure/same-json.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { RuleBundle, Sides, SimulatedResult } from '#rules/rulesets/index.ts';
import {
  type EvidenceServices,
  loadEvidence,
  type StudentSession,
  underContextReview,
} from '../../measurement/index.ts';
import type { Pipeline, StudentEvaluation } from '../engine/evaluate.ts';
import { selectInput } from '../evaluate-run.ts';
import type { StudentYear } from '../results/previous.ts';
import { readRun, type StoredInput } from '../results/stored-input.ts';
import type { RunInput, RunRow } from '../results/tables.ts';

/** The part of a run that its evaluation depends on, besides the rules. */
export interface SimulatedRun
  extends Pick<
    RunRow,
    'id' | 'organizationId' | 'studentId' | 'schoolYear' | 'windowFrom' | 'grade' | 'contextReview'
  > {
  readonly input: RunInput;
}

/** A run that was evaluated under the rules in force and under a draft. */
export interface EvaluatedResult extends SimulatedResult {
  readonly input: Sides<RunInput>;
  readonly evaluation: Sides<StudentEvaluation>;
}

type StoredRun = Omit<SimulatedRun, 'input'> & { readonly input: StoredInput };

const columns =
  'r.id, r.organization_id, r.student_id, r.school_year, r.window_from, r.grade, r.context_review, r.input';

/** Returns each student's newest run of the school year up to `asOf`; none before the first one. */
export async function newestRuns(
  trx: Trx,
  organizationId: string,
  students: readonly StudentYear[],
  asOf: string,
): Promise<SimulatedRun[]> {
  const rows = await rowsOf<StoredRun>(
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
  return rows.map(readRun);
}

export async function runsById(trx: Trx, organizationId: string, ids: readonly string[]): Promise<SimulatedRun[]> {
  const rows = await rowsOf<StoredRun>(
    trx,
    `select ${columns} from sse_run r
     where r.organization_id = :organizationId and r.id = any(:ids::text[]) order by r.student_id`,
    { organizationId, ids },
  );
  return rows.map(readRun);
}

/** Reads the evidence from each run's window up to `asOf` once, for use under different rules. */
export async function readEvidence(
  trx: Trx,
  services: EvidenceServices,
  runs: readonly SimulatedRun[],
  asOf: string,
): Promise<SessionsOfRun> {
  const [first] = runs;
  if (!first) return () => [];
  const { organizationId } = first;
  const students = runs.map((run) => windowOf(run, asOf));
  const sessionsOf = await loadEvidence(trx, services, { organizationId, students });
  return (run, pipeline) => sessionsOf(windowOf(run, asOf), pipeline);
}

const windowOf = ({ studentId, windowFrom }: SimulatedRun, asOf: string) => {
  return { studentId, from: windowFrom, to: asOf };
};

/** Returns the sessions of one of the runs under these rules. */
export type SessionsOfRun = (run: SimulatedRun, pipeline: Pipeline) => StudentSession[];

/** Returns the students who required review at `asOf` under these rules. */
export async function readContextReviews(
  trx: Trx,
  services: EvidenceServices,
  runs: readonly SimulatedRun[],
  asOf: string,
  rules: RuleBundle,
): Promise<ReadonlySet<number>> {
  const [first] = runs;
  if (!first) return new Set();
  const students = runs.map((run) => windowOf(run, asOf));
  return underContextReview(trx, services, { organizationId: first.organizationId, students }, rules);
}

/** Returns a run's sessions cut to its window under these rules. */
export function cutEvidence(
  { schoolYear, windowFrom }: SimulatedRun,
  sessions: readonly StudentSession[],
  pipeline: Pipeline,
  asOf: string,
): RunInput {
  const situation = { schoolYear: { name: schoolYear, from: windowFrom }, asOf };
  return selectInput(sessions, situation, pipeline);
}

export const isSameInput = (one: RunInput, other: RunInput): boolean => isSameJson(one, other);
