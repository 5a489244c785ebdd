// Exemplars of the tables beside the pipeline: a logged session, or an error pattern with its counts.

import { simulation } from '#assessment/skill-status/index.ts';
import type { Trx } from '#core/platform/db.ts';
import { type Facts, type Table, traceUntil } from '#rules/rulesets/index.ts';
import type { Place } from '../engine/places.ts';
import type { Exemplar, ExemplarSide } from '../engine/report.ts';
import type { PlacedJob } from '../input.ts';
import type { RulePair } from '../rule-pair.ts';
import { hitsOf } from '../steps/flags.ts';

export async function flagExemplars(
  trx: Trx,
  job: PlacedJob,
  rulePair: RulePair,
  places: readonly Place[],
): Promise<[Place, Exemplar][]> {
  const sessions = await sessionExemplars(trx, job, rulePair, ofLayer(places, 'RBM'));
  return [...sessions, ...(await patternExemplars(trx, job, rulePair, ofLayer(places, 'SUBFLAG')))];
}

const ofLayer = (places: readonly Place[], layer: Place['layer']) => places.filter((place) => place.layer === layer);

async function sessionExemplars(
  trx: Trx,
  { organizationId }: PlacedJob,
  rulePair: RulePair,
  places: readonly Place[],
): Promise<[Place, Exemplar][]> {
  const ids = places.map(({ exemplar }) => Number(exemplar.ref));
  const sessions = ids.length === 0 ? [] : await simulation.sessionsById(trx, organizationId, ids);
  const byId = new Map(sessions.map((session) => [String(session.id), session.facts]));
  return places.flatMap((place): [Place, Exemplar][] => {
    const facts = byId.get(place.exemplar.ref);
    return facts ? [[place, exemplarOf(rulePair, place, `rbm:${place.exemplar.ref}`, 'rbm/rbm', facts)]] : [];
  });
}

async function patternExemplars(
  trx: Trx,
  { organizationId, input: { asOf } }: PlacedJob,
  rulePair: RulePair,
  places: readonly Place[],
): Promise<[Place, Exemplar][]> {
  const students = places.map(({ exemplar: { studentId, ref } }) => ({ studentId, schoolYear: ref, from: asOf }));
  const flags = students.length === 0 ? [] : await simulation.storedFlags(trx, { organizationId, students, asOf });
  const nameOf = (studentId: number, year: string, pattern: string) => `subflag:${studentId}.${year}.${pattern}`;
  const byName = new Map(flags.map((flag) => [nameOf(flag.studentId, flag.schoolYear, flag.patternKey), flag]));
  return places.flatMap((place): [Place, Exemplar][] => {
    const { studentId, ref, subject } = place.exemplar;
    const name = nameOf(studentId, ref, subject);
    const flag = byName.get(name);
    if (!flag) return [];
    return [[place, exemplarOf(rulePair, place, name, 'subflag/subflag', simulation.subFlagFacts(flag))]];
  });
}

function exemplarOf(
  { before, after }: RulePair,
  { from, to, exemplar: { studentId, subject } }: Place,
  stampId: string,
  name: Table['name'],
  facts: Facts,
): Exemplar {
  return {
    ...{ studentId, stampId, subject },
    before: sideOf(before.bundle.table(name), from, facts),
    after: sideOf(after.bundle.table(name), to, facts),
  };
}

/** The rule is the one that raised the flag; none did where a flag is not raised, or is kept from before. */
function sideOf(table: Table, outcome: string, facts: Facts): ExemplarSide {
  const hit = hitsOf(table, facts)?.find((one) => one.outcome === outcome);
  return { ruleId: hit?.ruleId ?? null, outcome, facts, trace: traceUntil(table, facts) };
}
