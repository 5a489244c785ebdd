// Exemplars of profiles and plans: the facts of both tables for the student's run, in both states of the rules.

import { simulation } from '#assessment/skill-status/index.ts';
import type { Services } from '#core/module/services.ts';
import { inReadOnlyContext, type Trx } from '#core/platform/db.ts';
import { type Facts, type RuleBundle, traceUntil } from '#rules/rulesets/index.ts';
import type { Place } from '../engine/places.ts';
import type { Exemplar, ExemplarSide } from '../engine/report.ts';
import type { PlacedJob } from '../input.ts';
import type { RulePair } from '../rule-pair.ts';
import { type InputsOf, inputsOf } from '../steps/inputs.ts';
import { readSupport, type SupportOfStudents, supportAnswers } from '../steps/support.ts';

/** Runs whose evidence is held at once. */
const runsAtOnce = 100;

export async function supportExemplars(
  services: Services,
  job: PlacedJob,
  rulePair: RulePair,
  places: readonly Place[],
): Promise<[Place, Exemplar][]> {
  const own = places.filter(({ layer }) => layer === 'PROFILE' || layer === 'BUNDLE');
  const runIds = [...new Set(own.map(({ exemplar }) => exemplar.ref))];
  const found: [Place, Exemplar][] = [];
  for (let from = 0; from < runIds.length; from += runsAtOnce) {
    const read = await readRuns(services, job, rulePair, runIds.slice(from, from + runsAtOnce));
    for (const run of read.runs) {
      const ofRun = own.filter(({ exemplar }) => exemplar.ref === run.id);
      found.push(...exemplarsOf(job, rulePair, read, run, ofRun));
    }
  }
  return found;
}

interface Read {
  readonly runs: readonly simulation.SimulatedRun[];
  readonly support: SupportOfStudents;
  readonly inputs: InputsOf;
}

async function readRuns(services: Services, job: PlacedJob, rulePair: RulePair, ids: readonly string[]): Promise<Read> {
  const { organizationId } = job;
  const { asOf } = job.input;
  const { runs, support } = await inReadOnlyContext(services.db, { organizationId }, async (trx: Trx) => {
    const stored = await simulation.runsById(trx, organizationId, ids);
    const studentIds = stored.map(({ studentId }) => studentId);
    return {
      runs: stored,
      support: await readSupport(trx, services, rulePair, { organizationId, studentIds, asOf }),
    };
  });
  return { runs, support, inputs: await inputsOf(services, job, rulePair, runs) };
}

function exemplarsOf(
  { input: { asOf } }: PlacedJob,
  rulePair: RulePair,
  { support, inputs }: Read,
  run: simulation.SimulatedRun,
  places: readonly Place[],
): [Place, Exemplar][] {
  const parts = support.get(run.studentId);
  if (!rulePair.support || !parts) return [];
  const made = inputs(run);
  const situation = { grade: run.grade, contextReview: run.contextReview, asOf };
  const evaluated = {
    before: simulation.evaluate(made.before, situation, rulePair.before.pipeline),
    after: simulation.evaluate(made.after, situation, rulePair.after.pipeline),
  };
  const answers = supportAnswers(rulePair.support, parts, { run, ...evaluated, inputs: made });
  return places.map((place): [Place, Exemplar] => {
    const kind = place.layer === 'PROFILE' ? 'profile' : 'bundle';
    const { studentId, subject } = place.exemplar;
    const sides = {
      before: sideOf(rulePair.before.bundle, kind, answers.before[kind]),
      after: sideOf(rulePair.after.bundle, kind, answers.after[kind]),
    };
    return [place, { studentId, stampId: `run:${run.id}`, subject, ...sides }];
  });
}

const tableOf = { profile: 'profile/resolution', bundle: 'bundle/recommendation' } as const;

const sideOf = (
  bundle: RuleBundle,
  kind: keyof typeof tableOf,
  { ruleId, outcome, facts }: { readonly ruleId: string; readonly outcome: string; readonly facts: Facts },
): ExemplarSide => ({ ruleId, outcome, facts, trace: traceUntil(bundle.table(tableOf[kind]), facts) });
