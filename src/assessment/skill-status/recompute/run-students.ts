// Runs several students in one transaction: load, evaluate, compare, append what is new.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import type { Job } from '#core/platform/queue/queue.ts';
import { lastGrade } from '#identity/people/index.ts';
import { type SchoolYear, schoolYearOf } from '#rules/catalogue/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { loadEvidence, underContextReview } from '../../measurement/index.ts';
import type { Pipeline } from '../engine/evaluate.ts';
import {
  evaluateRun,
  type RunFrame,
  resultHash,
  type SelectedEvidence,
  type Situation,
  selectEvidence,
} from '../evaluate-run.ts';
import { withEngineOrFallback } from '../reference-engine/fallback.ts';
import { type PreviousRun, previousRuns } from '../results/previous.ts';
import { inputText } from '../results/stored-input.ts';
import { engineVersions, pipelineOf } from '../rules/pipelines.ts';
import type { CompletedRuns } from '../services.ts';
import { type FreshRun, recordsOf } from './records.ts';
import type { OpenRecompute, RecomputeResult } from './requests.ts';
import { appendRuns, laneOf } from './store.ts';

/**
 * Returns the evaluated students and their bundle. Throws ENGINE_UNAVAILABLE without rules or item bank, EvidenceError
 * on inconsistent evidence.
 */
export async function runStudents(
  trx: Trx,
  services: Services,
  organizationId: string,
  requests: readonly OpenRecompute[],
): Promise<RecomputeResult> {
  const now = latest(services.clock.now(), requests);
  const inForce = await services.rules.at(trx, now);
  const { bundleId, rules } = inForce;
  const ruleVersions = engineVersions(rules.versions);
  const frame = { organizationId, asOf: now.toISOString(), bundleId, ruleVersions, pipeline: pipelineOf(rules) };
  const { fresh, unchanged, evaluated } = await withEngineOrFallback(trx, rules, async (pipeline, isPinned) => {
    const students = await situationsOf(trx, services, { ...frame, pipeline, rules }, requests);
    const compared = await compareRuns(trx, { ...frame, pipeline }, students, isPinned);
    return { ...compared, evaluated: new Set(students.map(({ studentId }) => studentId)) };
  });
  await appendRuns(trx, await recordsOf(trx, frame, fresh), now);
  const projected = [...fresh, ...unchanged].map(completedRun);
  const jobs = await projectRuns(trx, services, { organizationId, now, inForce, runs: projected });
  const runs = fresh.map(({ grade, evaluation: { halted } }) => ({ grade, halted }));
  return { bundleId, at: frame.asOf, studentIds: evaluated, runs, jobs };
}

/** Returns the time of the run, never before its trigger, in case process clocks differ. */
const latest = (now: Date, requests: readonly OpenRecompute[]): Date =>
  new Date(Math.max(now.getTime(), ...requests.map(({ requestedAt }) => Date.parse(requestedAt))));

interface Student extends Situation, SelectedEvidence {
  readonly request: OpenRecompute;
  /** Canonical text, created once for hash and row. */
  readonly inputText: string;
  readonly inputHash: string;
}

/** Loads the situations of students. A student who was never in a class has no grade and is not evaluated. */
async function situationsOf(
  trx: Trx,
  services: Services,
  { organizationId, asOf, pipeline, rules }: RunFrame & { readonly rules: RuleBundle },
  requests: readonly OpenRecompute[],
): Promise<Student[]> {
  const yearIn = schoolYears(asOf, pipeline);
  const known = requests.flatMap((request) => {
    const { studentId, timeZone } = request;
    const schoolYear = yearIn(timeZone);
    const grade = lastGrade(request, schoolYear.name);
    return grade === null ? [] : [{ request, studentId, grade, asOf, schoolYear }];
  });
  const windowOf = (one: (typeof known)[number]) => {
    return { studentId: one.studentId, from: one.schoolYear.from, to: asOf };
  };
  const wanted = { organizationId, students: known.map(windowOf) };
  const sessionsOf = await loadEvidence(trx, services, wanted);
  const underReview = await underContextReview(trx, services, wanted, rules);
  return known.map((student) => {
    const evidence = selectEvidence(sessionsOf(windowOf(student), pipeline), student, pipeline);
    const text = inputText(evidence.input);
    return {
      ...student,
      ...evidence,
      inputText: text,
      inputHash: sha256Hex(text),
      contextReview: underReview.has(student.studentId),
    };
  });
}

/** Returns the school year of `asOf` by time zone, cached because the students share few zones. */
export function schoolYears(asOf: string, { catalogue }: Pipeline): (timeZone: string) => SchoolYear {
  const known = new Map<string, SchoolYear>();
  return (timeZone) => {
    const year = known.get(timeZone) ?? schoolYearOf(asOf, timeZone, catalogue.schoolYearStart);
    known.set(timeZone, year);
    return year;
  };
}

interface ComparedRuns {
  readonly fresh: readonly FreshRun[];
  /** Runs that are unchanged under new rules; their projections may change. */
  readonly unchanged: readonly UnchangedRun[];
}

type UnchangedRun = Omit<FreshRun, 'hasEarlierRun'>;

/**
 * Separates new runs from unchanged ones. With the evidence, situation and rules of the newest run nothing is appended.
 * Under other rules, or with the reference engine's answers, nothing is appended either when all decisions are equal.
 */
async function compareRuns(
  trx: Trx,
  frame: RunFrame,
  students: readonly Student[],
  isPinned: boolean,
): Promise<ComparedRuns> {
  const years = students.map(({ studentId, schoolYear }) => ({ studentId, schoolYear: schoolYear.name }));
  const previous = await previousRuns(trx, frame.organizationId, years);
  const rulesNow = canonicalJson(frame.ruleVersions);
  const fresh: FreshRun[] = [];
  const unchanged: UnchangedRun[] = [];
  for (const student of students) {
    const before = previous.get(student.studentId);
    const known = before && isSameCase(before, student) ? before : undefined;
    const isByNewRules = student.request.byNewRules;
    if (known && !isPinned && !isByNewRules && canonicalJson(known.ruleVersions) === rulesNow) continue;
    const evaluation = evaluateRun(student.input, student, frame.pipeline);
    if (known && resultHash(known.id, evaluation) === known.resultHash) {
      if (isByNewRules) unchanged.push({ ...student, runId: known.id, evaluation });
    } else {
      fresh.push({ ...student, runId: newId(), evaluation, hasEarlierRun: before !== undefined });
    }
  }
  return { fresh, unchanged };
}

const completedRun = ({ runId, studentId, schoolYear, grade, contextReview, evaluation, request }: UnchangedRun) => ({
  runId,
  studentId,
  schoolYear,
  grade,
  contextReview,
  evaluation,
  lane: laneOf(request),
});

/** Runs the projections in the order of the capabilities and returns their jobs. */
async function projectRuns(trx: Trx, services: Services, completed: CompletedRuns): Promise<Job[]> {
  if (completed.runs.length === 0) return [];
  const jobs: Job[] = [];
  for (const projection of services.capabilities.flatMap(({ runProjections = [] }) => runProjections)) {
    jobs.push(...(await projection.project(trx, services, completed)));
  }
  return jobs;
}

const isSameCase = (before: PreviousRun, student: Student): boolean =>
  before.inputHash === student.inputHash &&
  before.grade === student.grade &&
  before.contextReview === student.contextReview;
