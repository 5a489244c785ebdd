// One student in memory: 100 responses to 25 sub-skills through the pipeline, with the time of each step.

import type { EvaluationInput, EvidenceResponse } from '../../src/assessment/measurement/evidence/engine/evidence.ts';
import { evaluateTile, overallStatus } from '../../src/assessment/skill-status/engine/domains/tiles.ts';
import {
  compilePipeline,
  evaluateStudent,
  type Pipeline,
  type StudentEvaluation,
} from '../../src/assessment/skill-status/engine/evaluate.ts';
import { gather } from '../../src/assessment/skill-status/engine/evidence/gather.ts';
import { selectWindow } from '../../src/assessment/skill-status/engine/evidence/window.ts';
import { toGoldenOutput } from '../../src/assessment/skill-status/engine/golden.ts';
import { evaluateSubSkills } from '../../src/assessment/skill-status/engine/skills/sub-skills.ts';
import { resultHash } from '../../src/assessment/skill-status/evaluate-run.ts';
import { inputHash } from '../../src/assessment/skill-status/results/stored-input.ts';
import { canonicalJson } from '../../src/core/platform/pure/canonical-json.ts';
import { loadNewestBundle } from '../../src/rules/rulesets/index.ts';
import { assertEqual, type Contender, sideBySide } from '../harness/measure.ts';
import { duration, type Row, type Section } from '../harness/report.ts';

const passes = 200;
const subSkillCount = 25;
const grade = 2;
const asOf = '2026-02-01T08:00:00.000Z';

export async function benchStudent(): Promise<Section> {
  const pipeline = compilePipeline(await loadNewestBundle('rules'));
  const input = studentOf(pipeline);
  const layers = layersOf(input, pipeline);
  assertEqual('the layers one by one', layers.outcome, outcomeOf(evaluateStudent(input, pipeline)));
  const timings = await sideBySide([
    repeated('evaluateStudent', () => evaluateStudent(input, pipeline)),
    ...layers.steps,
    ...around(input, pipeline),
  ]);
  const rows = [...timings].map(([name, time]): Row => {
    return { contender: name, result: duration(time), aim: name === 'evaluateStudent' ? '≤ 0.1 ms' : '' };
  });
  return {
    title: 'A whole student in memory',
    note: `${input.responses.length} responses to ${subSkillCount} sub-skills in ${input.sessions.length} sessions, grade ${grade}. Asserted: the layers, called one by one, give what evaluateStudent gives. The last lines are what a recompute does besides.`,
    rows,
  };
}

const outcomeOf = (evaluation: StudentEvaluation): string => canonicalJson(toGoldenOutput('student', evaluation));

const repeated = (name: string, work: () => unknown): Contender => ({
  name,
  operations: passes,
  run() {
    let last: unknown;
    for (let pass = 0; pass < passes; pass++) last = work();
    return last;
  },
});

/** The steps of `evaluateStudent`, each with the result of the step before it. */
function layersOf(input: EvaluationInput, pipeline: Pipeline) {
  const { catalogue } = pipeline;
  const situation = { grade: input.grade, contextReview: input.contextReviewActive };
  const gathered = gather(input, pipeline);
  const subSkills = evaluateSubSkills(gathered.bySubSkill, situation, pipeline);
  const members = catalogue.domains.map(({ index }) => subSkills.filter((one) => one.subSkill.domainIndex === index));
  const decideDomains = () => catalogue.domains.map((domain) => pipeline.domainOf(domain, members[domain.index] ?? []));
  const domains = decideDomains();
  const rollUp = () => {
    const tiles = catalogue.tiles.map((tile) => evaluateTile(tile, domains));
    return { tiles, global: { status: overallStatus(tiles) }, comprehension: pipeline.comprehensionOf(domains) };
  };
  const evaluation = { ...evaluateStudent(input, pipeline), coded: gathered.coded, subSkills, domains, ...rollUp() };
  return {
    outcome: outcomeOf(evaluation),
    steps: [
      repeated('· response codes (ADR), gathered by sub-skill', () => gather(input, pipeline)),
      repeated('· sub-skills (CIS, PAC, SSR)', () => evaluateSubSkills(gathered.bySubSkill, situation, pipeline)),
      repeated('· domains (DDR, DSM, ESC)', decideDomains),
      repeated('· tiles and comprehension', rollUp),
    ],
  };
}

/** The work around the evaluation when results are stored. */
function around(input: EvaluationInput, pipeline: Pipeline): Contender[] {
  const window = { from: '2025-08-01T00:00:00.000Z', to: asOf };
  const { sessions, responses } = input;
  const evaluation = evaluateStudent(input, pipeline);
  return [
    repeated('selecting the evidence window', () => selectWindow({ sessions, responses }, window, pipeline)),
    repeated('text and hash of the input', () => inputHash({ sessions, responses })),
    repeated('hash of the result', () => resultHash('student', evaluation)),
  ];
}

const kinds = [
  { correct: true, errorClass: 'none', microPattern: null },
  { correct: true, errorClass: 'none', microPattern: null },
  { correct: false, errorClass: 'target', microPattern: 'm1' },
  { correct: false, errorClass: 'prerequisite', microPattern: null },
  { correct: false, errorClass: 'none', microPattern: null },
] as const;

/** Returns four items for each of the first sub-skills of the grade. */
function studentOf({ catalogue }: Pipeline): EvaluationInput {
  const own = catalogue.subSkills.filter(({ grades, measuredByOrf }) => grades.includes(grade) && !measuredByOrf);
  const responses = own.slice(0, subSkillCount).flatMap(({ code }, index) => fourItems(code, index));
  const sessions = Array.from({ length: 5 }, (_, at) => ({
    sessionId: `session-${at}`,
    source: 'diagnostic' as const,
    endedAt: `2026-01-1${at}T09:00:00.000Z`,
    analysable: true,
  }));
  return { grade, asOf, contextReviewActive: false, sessions, responses };
}

const fourItems = (subSkillCode: string, index: number): EvidenceResponse[] =>
  Array.from({ length: 4 }, (_, item) => ({
    sessionId: `session-${Math.floor(index / 5)}`,
    itemId: `${subSkillCode}-${item}`,
    subSkillCode,
    analysable: true,
    answered: true,
    attempt: 'first',
    support: 'none',
    speed: item === 3 ? 'slow' : 'normal',
    behaviourMark: false,
    ...(kinds[(index % 3 === 0 ? 0 : index + item) % kinds.length] ?? kinds[0]),
  }));
