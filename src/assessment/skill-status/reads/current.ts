// The reads of current results. Before the first run of a school year they return what the engine decides without
// evidence.

import { ok } from '#core/http/answers.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { lastGrade, type StudentInScope } from '#identity/people/index.ts';
import { type SchoolYear, schoolYearOf } from '#rules/catalogue/index.ts';
import type { Pipeline } from '../engine/evaluate.ts';
import { evaluateRun } from '../evaluate-run.ts';
import { currentDomains, currentSkills, currentState, type StudentInYear } from '../results/queries.ts';
import { type DomainContent, domainContents, runTilesOf } from '../results/rows.ts';
import { engineVersions, pipelineOf } from '../rules/pipelines.ts';
import { presentDomainStatus } from './present/domains.ts';
import type { ResultFrame } from './present/frame.ts';
import { presentSkillStatus } from './present/skills.ts';

interface Loaded extends ResultFrame {
  readonly who: StudentInYear;
  readonly schoolYear: SchoolYear;
  readonly pipeline: Pipeline;
  /** The bundle with which the returned results were decided. */
  readonly bundleId: string;
}

export async function readSkillStatus(services: Services, trx: Trx, student: StudentInScope, now: Date) {
  const { frame, rows } = await load(services, trx, student, now, currentSkills);
  return withBundleHeader(frame, presentSkillStatus(frame, frame.run ? rows : []));
}

export async function readDomainStatus(services: Services, trx: Trx, student: StudentInScope, now: Date) {
  const { frame, rows } = await load(services, trx, student, now, currentDomains);
  if (frame.run) return withBundleHeader(frame, presentDomainStatus(frame, rows, frame.run.tiles));
  const { domains, tiles } = withoutEvidence(frame, student, now);
  return withBundleHeader(frame, presentDomainStatus(frame, domains, tiles));
}

/** The contract fixes the body, which contains the versions; the header contains the bundle that pins them. */
const withBundleHeader = <Body>({ bundleId }: Loaded, body: Body) => ({
  ...ok(body),
  headers: { 'x-rule-bundle': bundleId },
});

/** Names come from the rules of the run. State and rows are loaded in one round trip. */
async function load<Row>(
  services: Services,
  trx: Trx,
  student: StudentInScope,
  now: Date,
  ask: (trx: Trx, who: StudentInYear) => Promise<Row[]>,
): Promise<{ readonly frame: Loaded; readonly rows: readonly Row[] }> {
  const { id: studentId, organizationId, timeZone } = student;
  const inForce = await services.rules.at(trx, now);
  const schoolYear = schoolYearOf(now.toISOString(), timeZone, pipelineOf(inForce.rules).catalogue.schoolYearStart);
  const who = { organizationId, studentId, yearFrom: schoolYear.from };
  const [{ pending, evaluatedUnder, run }, rows] = await Promise.all([currentState(trx, who), ask(trx, who)]);
  const made = run && { bundleId: run.bundleId, rules: await services.rules.pinned(trx, run.ruleVersions) };
  const { bundleId, rules } = made ?? inForce;
  const pipeline = pipelineOf(rules);
  const { catalogue } = pipeline;
  const grade = run?.grade ?? lastGrade(student, schoolYear.name);
  const ruleVersions = engineVersions(rules.versions);
  const named = { pipeline, catalogue, ruleVersions, bundleId };
  return { frame: { who, schoolYear, studentId, pending, evaluatedUnder, run, grade, ...named }, rows };
}

/** A grade without sub-skills. */
const unknownGrade = 0;

function withoutEvidence(
  { schoolYear, pipeline, ruleVersions, bundleId, grade }: Loaded,
  { id: studentId, organizationId }: StudentInScope,
  now: Date,
) {
  const asOf = now.toISOString();
  const situation = { grade: grade ?? unknownGrade, contextReview: false, asOf };
  const evaluation = evaluateRun({ sessions: [], responses: [] }, situation, pipeline);
  const stamp = { id: '', organizationId, studentId, schoolYear: schoolYear.name, asOf, ruleVersions, bundleId };
  const domains: DomainContent[] = domainContents(stamp, evaluation);
  return { domains, tiles: runTilesOf(evaluation) };
}
