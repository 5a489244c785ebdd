// Loads measurements and flags of students. The number of statements does not depend on the number of students.

import { type MonitoredSeries, newestSeries, openSignals } from '#assessment/measurement/index.ts';
import type { Trx } from '#core/platform/db.ts';
import { studentsFlaggedForReview } from '#identity/context-flags/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import type { InterventionRules, Known } from '../../interventions/index.ts';
import { type RtiAlert, spentBy } from '../rows/alerts.ts';
import { alertsOnVoided } from '../rows/voided-alerts.ts';
import { type Needs, needsOf, noNeeds } from './needs.ts';
import { type Skills, skillsOf } from './skills.ts';

export interface RtiEvidence {
  /** Whether a flag with the effect `review` holds today. */
  readonly contextReview: boolean;
  /** Undefined without a reading in the school year. */
  readonly series: MonitoredSeries | undefined;
  /** Open signals of an acute drop, oldest first. */
  readonly acuteSignals: readonly string[];
  readonly needs: Needs;
  readonly skills: Skills;
  /** Open alerts that rest on evidence that was voided since, of all students. */
  readonly voidedAlerts: ReadonlySet<string>;
}

interface EvidenceQuestion {
  readonly organizationId: string;
  readonly students: readonly {
    readonly studentId: number;
    /** Local dates: the first day of the school year, and today. */
    readonly yearFrom: string;
    readonly asOf: string;
  }[];
  readonly known: ReadonlyMap<number, Known>;
  readonly alerts: readonly RtiAlert[];
  readonly now: Date;
}

/** Throws ENGINE_UNAVAILABLE when a flag needs a missing dictionary. */
export async function loadRtiEvidence(
  trx: Trx,
  { organizationId, students, known, alerts, now }: EvidenceQuestion,
  { bundle, rules }: { readonly bundle: RuleBundle; readonly rules: InterventionRules },
): Promise<(studentId: number) => RtiEvidence> {
  const ids = students.map(({ studentId }) => studentId);
  const asked = ids.map((studentId) => ({ studentId, to: now.toISOString() }));
  const flagged = await studentsFlaggedForReview(trx, { organizationId, students: asked }, bundle);
  const series = await newestSeries(trx, bundle, organizationId, 'ORF_WCPM', students);
  const signals = await openSignals(trx, organizationId, 'cbm_acute_drop', ids);
  const runIds = [...known.values()].flatMap(({ newestRunId }) => newestRunId ?? []);
  const needs = await needsOf(trx, organizationId, runIds, rules.profiles.roles);
  const voidedAlerts = await alertsOnVoided(trx, organizationId, alerts);
  const used = spentBy(alerts, voidedAlerts).snapshots;
  const skills = await skillsOf(trx, organizationId, ids, used);
  return (studentId) => ({
    contextReview: flagged.has(studentId),
    series: series.get(studentId),
    acuteSignals: signals.get(studentId) ?? [],
    needs: needs.get(studentId) ?? noNeeds,
    skills: skills.get(studentId) ?? {},
    voidedAlerts,
  });
}
