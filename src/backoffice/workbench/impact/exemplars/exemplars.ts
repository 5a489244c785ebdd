// Exemplars: the students who are shown for a transition, with the reasons of both outcomes. Only they are traced, at the end of a job.

import { simulation } from '#assessment/skill-status/index.ts';
import type { Services } from '#core/module/services.ts';
import { readTransactionIn } from '#core/platform/db.ts';
import { type ExemplarSlot, type ExplainedSlot, type RuleBundle, traceUntil } from '#rules/rulesets/index.ts';
import { slicesOf } from '../../chunks.ts';
import { exemplarSlotsOf } from '../engine/exemplar-slots.ts';
import type { ImpactPosition } from '../engine/position.ts';
import type { Exemplar, ExemplarSide, ExemplarsOf } from '../engine/report.ts';
import { type ImpactJob, jobIn, type OrganizationJob } from '../input.ts';
import type { RulePair } from '../rule-pair.ts';
import { resultOf } from '../steps/chunk.ts';
import { inputsOf } from '../steps/inputs.ts';
import { tracedExemplars } from './traced.ts';

/** Students whose evidence is held at once. */
const studentsAtOnce = 100;

/** Resolves the exemplars of every transition. One whose run has been erased since is left out. */
export async function resolveExemplars(
  services: Services,
  job: ImpactJob,
  rulePair: RulePair,
  position: ImpactPosition,
): Promise<ExemplarsOf> {
  const slots = exemplarSlotsOf(position);
  const found = new Map<ExemplarSlot, Exemplar>();
  for (const organizationId of new Set(slots.map((slot) => slot.organizationId))) {
    const placed = jobIn(job, organizationId);
    for (const some of byStudents(slots.filter((slot) => slot.organizationId === organizationId))) {
      const explained = await explainedSlots(services, placed, rulePair, some);
      for (const [slot, exemplar] of explained) found.set(slot, exemplar);
      for (const [slot, exemplar] of await tracedExemplars(services, placed, rulePair, some)) found.set(slot, exemplar);
    }
  }
  return (layer, from, to) =>
    slots
      .filter((slot) => slot.layer === layer && slot.from === from && slot.to === to)
      .flatMap((slot) => found.get(slot) ?? []);
}

function byStudents(slots: readonly ExemplarSlot[]): ExemplarSlot[][] {
  const studentIds = [...new Set(slots.map(({ studentId }) => studentId))];
  return slicesOf(studentIds, studentsAtOnce).map((some) => {
    const ids = new Set(some);
    return slots.filter(({ studentId }) => ids.has(studentId));
  });
}

/** Resolves the slots of the simulators' layers. */
async function explainedSlots(
  services: Services,
  job: OrganizationJob,
  rulePair: RulePair,
  slots: readonly ExemplarSlot[],
): Promise<Map<ExemplarSlot, Exemplar>> {
  const { organizationId, input } = job;
  const sources = {
    ...{ organizationId, asOf: input.asOf, services },
    reading: readTransactionIn(services.db, { organizationId }),
    resultsOf: (runIds: readonly string[]) => resultsOf(services, job, rulePair, [...new Set(runIds)]),
  };
  const found = new Map<ExemplarSlot, Exemplar>();
  for (const { simulator, simulation: compared } of [...rulePair.results, ...rulePair.records]) {
    const own = slots.filter(({ layer }) => simulator.layers.includes(layer));
    if (own.length === 0) continue;
    const explain = await compared.explain(sources, own);
    for (const slot of own) {
      const explained = explain(slot);
      if (explained) found.set(slot, exemplarOf(rulePair, slot, explained));
    }
  }
  return found;
}

async function resultsOf(
  services: Services,
  job: OrganizationJob,
  rulePair: RulePair,
  ids: readonly string[],
): Promise<simulation.EvaluatedResult[]> {
  const { organizationId } = job;
  const { asOf } = job.input;
  const runs = await readTransactionIn(services.db, { organizationId })((trx) =>
    simulation.runsById(trx, organizationId, ids),
  );
  const inputs = await inputsOf(services, job, rulePair, runs);
  return runs.map((run) => {
    const made = inputs(run);
    const situation = { grade: run.grade, contextReview: run.contextReview, asOf };
    const evaluated = (side: 'before' | 'after') =>
      simulation.evaluateRun(made[side], situation, rulePair[side].pipeline);
    return resultOf(run, made, { before: evaluated('before'), after: evaluated('after') });
  });
}

function exemplarOf(
  rulePair: RulePair,
  { studentId, subject }: ExemplarSlot,
  { stampId, table, before, after }: ExplainedSlot,
): Exemplar {
  const sideOf = (bundle: RuleBundle, { ruleId, outcome, facts }: ExplainedSlot['before']): ExemplarSide => {
    const trace = table && facts ? traceUntil(bundle.table(table), facts) : [];
    return { ruleId, outcome, facts, trace };
  };
  return {
    ...{ studentId, stampId, subject },
    before: sideOf(rulePair.before.bundle, before),
    after: sideOf(rulePair.after.bundle, after),
  };
}
