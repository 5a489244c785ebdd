// Exemplars of alerts and tiers: the facts of both tables for the student, in both states of the rules.
import type { Services } from '#core/module/services.ts';
import { inReadOnlyContext } from '#core/platform/db.ts';
import { type Facts, type RuleBundle, traceUntil } from '#rules/rulesets/index.ts';
import type { Place } from '../engine/places.ts';
import type { Exemplar, ExemplarSide } from '../engine/report.ts';
import type { PlacedJob } from '../input.ts';
import type { RulePair } from '../rule-pair.ts';
import { readTiers, tierAnswers } from '../steps/tiers.ts';

/** Students whose evidence is held at once. */
const studentsAtOnce = 100;

export async function tierExemplars(
  services: Services,
  job: PlacedJob,
  rulePair: RulePair,
  places: readonly Place[],
): Promise<[Place, Exemplar][]> {
  const own = places.filter(({ layer }) => layer === 'ALERT' || layer === 'TIER');
  const ids = [...new Set(own.map(({ exemplar }) => exemplar.studentId))];
  const found: [Place, Exemplar][] = [];
  for (let from = 0; from < ids.length; from += studentsAtOnce) {
    const studentIds = ids.slice(from, from + studentsAtOnce);
    found.push(...(await exemplarsOf(services, job, rulePair, studentIds, own)));
  }
  return found;
}

async function exemplarsOf(
  services: Services,
  { organizationId, input: { asOf } }: PlacedJob,
  rulePair: RulePair,
  studentIds: readonly number[],
  places: readonly Place[],
): Promise<[Place, Exemplar][]> {
  const { tiers } = rulePair;
  if (!tiers) return [];
  const stored = await inReadOnlyContext(services.db, { organizationId }, (trx) =>
    readTiers(trx, services, rulePair, { organizationId, studentIds, asOf }),
  );
  return studentIds.flatMap((studentId) => {
    const parts = stored.get(studentId);
    const answers = parts && tierAnswers(tiers, parts);
    if (!answers) return [];
    const ofStudent = places.filter(({ exemplar }) => exemplar.studentId === studentId);
    return ofStudent.map((place): [Place, Exemplar] => {
      const kind = place.layer === 'ALERT' ? 'alert' : 'tier';
      const { ref, subject } = place.exemplar;
      const sides = {
        before: sideOf(rulePair.before.bundle, kind, answers.before[kind]),
        after: sideOf(rulePair.after.bundle, kind, answers.after[kind]),
      };
      return [place, { studentId, stampId: `run:${ref}`, subject, ...sides }];
    });
  });
}

const tableOf = { alert: 'rti/alerts', tier: 'rti/tier-recommendation' } as const;

const sideOf = (
  bundle: RuleBundle,
  kind: keyof typeof tableOf,
  { ruleId, outcome, facts }: { readonly ruleId: string; readonly outcome: string; readonly facts: Facts },
): ExemplarSide => ({ ruleId, outcome, facts, trace: traceUntil(bundle.table(tableOf[kind]), facts) });
