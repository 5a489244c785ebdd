// timeout: 240s
// Live = whole evaluation = impact job: random edits of the rules on the runs of many students, of which some cannot change and are
// not evaluated. The numbers come from the code of the impact job, which evaluates everybody.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { simulation } from '#assessment/skill-status/index.ts';
import { compareStudent } from '#backoffice/workbench/impact/engine/compare-student.ts';
import { addHits, emptyPosition, type ImpactPosition } from '#backoffice/workbench/impact/engine/position.ts';
import { gradeReports, layerReports, ruleHitReports } from '#backoffice/workbench/impact/engine/report.ts';
import type { ImpactInput } from '#backoffice/workbench/impact/input.ts';
import {
  type RulePair,
  rulePairFrom,
  ruleTablesOf,
  scalesOf,
  simulationParts,
} from '#backoffice/workbench/impact/rule-pair.ts';
import { answersOf, evaluateBoth, impactChunk } from '#backoffice/workbench/impact/steps/chunk.ts';
import type { ScopedStudent } from '#backoffice/workbench/impact/students.ts';
import { obstacleTo } from '#backoffice/workbench/live/evaluable.ts';
import { addedUp } from '#backoffice/workbench/live/present.ts';
import type { LiveQuestion } from '#backoffice/workbench/live/question.ts';
import { LiveTasks } from '#backoffice/workbench/live/thread/tasks.ts';
import { inContext } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import { documentName, type RuleBundle } from '#rules/rulesets/index.ts';
import { useShell } from '../../../assessment/skill-status/shell.ts';
import { buildPlace, january, multiply, type Place, sequence } from '../impact/world.ts';
import { type Edit, randomEdit } from './edits.ts';

const test = suite('live impact: exact');
const shell = useShell(test);
const { owner } = shell.app.database;

/** With `LIVE_EDITS=1000` as the contract has it. */
const edits = Number(process.env.LIVE_EDITS ?? 120);
const students = 500;
/** Of every so many edits one is also simulated by the impact job itself, which reads the runs anew. */
const jobEvery = 10;

let place: Place;
let rules: RuleBundle;
let runs: readonly simulation.SimulatedRun[];
let tasks: readonly LiveTasks[];

test.before(async () => {
  shell.app.clock.set(january(10));
  place = await buildPlace(shell, 12, 21);
  await multiply(owner, place.organizationId, students - place.studentIds.length);
  rules = (await shell.services.rules.at(shell.services.db, shell.app.clock.now())).rules;
  const ids: { id: number }[] = await inContext(owner, 'SUPER', (trx) =>
    trx('app_user').where({ organizationId: place.organizationId, primaryPersona: 'STUDENT' }).select('id'),
  );
  const years = ids.map(({ id }) => ({ studentId: id, schoolYear: '2025-2026' }));
  runs = await inContext(owner, 'SUPER', (trx) => simulation.newestRuns(trx, place.organizationId, years, january(10)));
  tasks = [0, 1].map((number) => new LiveTasks(shell.services, { part: { number, count: 2 }, mostBytes: 2 ** 26 }));
});

const textsOf = ({ documents }: Edit) =>
  documents.map((one) => ({ name: documentName(one), text: canonicalJson(one) }));

async function live(texts: readonly string[], at: number) {
  const question: LiveQuestion = {
    ...{ scope: { organizationId: place.organizationId }, organizations: [place.organizationId] },
    ...{ before: rules.versions, now: january(10), questionId: `edit ${at}`, userId: 1, texts, students: null },
    maxMs: 60_000,
  };
  return addedUp(await Promise.all(tasks.map((one) => one.count(question))), question);
}

function numbersOf(position: ImpactPosition, pair: RulePair) {
  const { evaluated, changed, restated } = position;
  const layers = layerReports(position, { layers: simulation.layerNames, scales: scalesOf(pair) }, () => []);
  return {
    ...{ seen: evaluated, changed, restated },
    layers: layers.map(({ compared: _compared, transitions, ...layer }) => ({
      ...layer,
      transitions: transitions
        .filter(({ from, to }) => from !== to)
        .map(({ from, to, count }) => ({ from, to, count })),
    })),
    byGrade: gradeReports(position).map(({ share: _share, ...group }) => group),
    ruleHits: ruleHitReports(position, ruleTablesOf(pair)),
  };
}

/** Evaluates everybody; undefined where the proposed rules do not decide the evidence. */
function whole(pair: RulePair): ImpactPosition | undefined {
  const position = emptyPosition(simulation.layerNames);
  pair.before.takeHits();
  pair.after.takeHits();
  try {
    for (const run of runs) {
      const { organizationId, studentId, id: runId, grade, contextReview, input } = run;
      const made = { before: input, after: input, isSame: () => true };
      const both = evaluateBoth(pair, run, made, { before: contextReview, after: contextReview }, january(10));
      const isOther = !simulation.isSameResult(both.before, both.after);
      compareStudent(position, {
        ...{ organizationId, studentId, runId, schoolId: null, grade, isFlagged: false, isOther },
        ...answersOf(made, both),
      });
    }
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFLICT') return undefined;
    throw error;
  }
  for (const side of ['before', 'after'] as const) {
    for (const [name, times] of pair[side].takeHits()) addHits(position, side, name, times);
  }
  return position;
}

async function job(texts: readonly string[], at: number): Promise<ImpactPosition | undefined> {
  const { organizationId } = place;
  const input: ImpactInput = {
    ...{ changeId: '', changeSha256: '', documents: [], scope: { organizationId }, asOf: january(10) },
    ...{ before: rules.versions, texts },
  };
  const scoped = runs.map(({ studentId, grade }): ScopedStudent => {
    return { studentId, schoolId: null, grade, timeZone: 'Asia/Riyadh' };
  });
  const chunk = { jobId: `edit ${at}`, organizationId, input, students: scoped, withoutStudent: false };
  return impactChunk.run(shell.services, chunk).catch((error) => {
    if (error instanceof AppError && error.code === 'CONFLICT') return undefined;
    throw error;
  });
}

test('random edits of every kind: the same counts, whoever is skipped', async () => {
  const next = sequence(7);
  const parts = simulationParts(shell.services);
  const seen = { evaluable: 0, changing: 0, unread: 0, undecided: 0, evidence: 0, jobs: 0 };
  for (let at = 0; at < edits; at += 1) {
    const edit = randomEdit(rules.documents, next);
    const texts = textsOf(edit);
    const obstacle = obstacleTo({ texts, documents: rules.documents }, parts);
    if (obstacle) {
      if (obstacle.state === 'job_needed') seen.evidence += 1;
      else seen.unread += 1;
      continue;
    }
    const plain = texts.map(({ text }) => text);
    const found = await live(plain, at);
    const pair = rulePairFrom(rules, plain, parts);
    const expected = whole(pair);
    if (!expected) {
      seen.undecided += 1;
      assert.is(found.state, 'not_evaluable', edit.kind);
      continue;
    }
    seen.evaluable += 1;
    if (expected.changed > 0) seen.changing += 1;
    const { of, state, issue, regions: _regions, students: _students, indexedAt: _at, runsBehind, ...numbers } = found;
    assert.equal([state, issue, of, runsBehind], ['exact', null, runs.length, 0], edit.kind);
    assert.equal(numbers, numbersOf(expected, pair), edit.kind);
    if (at % jobEvery !== 0) continue;
    seen.jobs += 1;
    const simulated = await job(plain, at);
    assert.equal(simulated && numbersOf(simulated, pair), numbersOf(expected, pair), edit.kind);
  }
  assert.ok(seen.evaluable > edits / 3 && seen.changing > edits / 6 && seen.undecided > 0, JSON.stringify(seen));
  assert.ok(seen.evidence > 0 && seen.unread > 0 && seen.jobs > edits / 40, JSON.stringify(seen));
});

test.run();
