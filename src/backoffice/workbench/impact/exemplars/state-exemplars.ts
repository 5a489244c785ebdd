// Exemplars of states of sub-skills: what layer A was asked at the newest run, in both states of the rules.
import type { Trx } from '#core/platform/db.ts';
import { type RuleBundle, traceUntil } from '#rules/rulesets/index.ts';
import { tierSimulation } from '#support/rti/index.ts';
import type { Place } from '../engine/places.ts';
import type { Exemplar, ExemplarSide } from '../engine/report.ts';
import type { PlacedJob } from '../input.ts';
import type { RulePair } from '../rule-pair.ts';
import { readStates, stateAnswers } from '../steps/states.ts';

export async function stateExemplars(
  trx: Trx,
  { organizationId, input: { asOf } }: PlacedJob,
  rulePair: RulePair,
  places: readonly Place[],
): Promise<[Place, Exemplar][]> {
  const { states } = rulePair;
  const own = places.filter(({ layer }) => layer === 'SKILL_STATE');
  if (!states || own.length === 0) return [];
  const studentIds = [...new Set(own.map(({ exemplar }) => exemplar.studentId))];
  const stored = await readStates(trx, rulePair, { organizationId, studentIds, asOf });
  return own.flatMap((place): [Place, Exemplar][] => {
    const { studentId, subject, ref } = place.exemplar;
    const parts = stored.get(studentId);
    const answers = parts && stateAnswers(states, parts);
    const [before, after] = [answers?.before.get(subject), answers?.after.get(subject)];
    if (!before || !after) return [];
    const sides = {
      before: sideOf(rulePair.before.bundle, before),
      after: sideOf(rulePair.after.bundle, after),
    };
    return [[place, { studentId, stampId: `run:${ref}`, subject, ...sides }]];
  });
}

type Answer = NonNullable<ReturnType<ReturnType<typeof tierSimulation.statesFrom>['get']>>;

const sideOf = (bundle: RuleBundle, { ruleId, state, facts }: Answer): ExemplarSide => ({
  ...{ ruleId, outcome: state, facts: { ...facts } },
  trace: traceUntil(bundle.table(tierSimulation.stateTable), { ...facts }),
});
