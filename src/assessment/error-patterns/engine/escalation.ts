// Escalation of sub-flags: computes the level of an error pattern from training answers. Counts and levels only rise
// and affect no other result.

import type { Catalogue } from '#rules/catalogue/engine/index.ts';
import type { RuleBundle } from '#rules/rulesets/engine/index.ts';
import { allHits } from '#rules/rulesets/engine/index.ts';
import type { HintDelivery } from '../../measurement/engine/index.ts';
import { linkedInOneSession, type Occurrence } from './occurrences.ts';

export const subFlagStates = ['candidate', 'automatic_support_active', 'teacher_alert_active'] as const;
export type SubFlagState = (typeof subFlagStates)[number];
export type SubFlagLevel = 1 | 2 | 3;

export interface SubFlagCounts {
  readonly validOccurrences: number;
  readonly sessionCount: number;
  /** The maximum in one session. */
  readonly linkedOccurrences: number;
  /** Occurrences in sessions after the first support. */
  readonly occurrencesAfterSupport: number;
  /** ISO 8601 instant of the first delivery of support; null without one. */
  readonly supportDeliveredAt: string | null;
}

export interface SubFlag extends SubFlagCounts {
  readonly level: SubFlagLevel;
  readonly state: SubFlagState;
}

/** The effects of reaching one level. */
interface Step {
  readonly level: SubFlagLevel;
  readonly state: SubFlagState;
  readonly supportActive: boolean;
  /** Severity of the alert that is written once when the level is reached. */
  readonly alertSeverity: 'none' | 'low';
}

export interface Escalation {
  /** Returns the flag for a pattern's occurrences (at least one) and deliveries; `before` is the stored flag. */
  flagOf(occurrences: readonly Occurrence[], deliveries: readonly HintDelivery[], before?: SubFlag): SubFlag;
  /** Returns the steps above `from` up to `to`, lowest first. */
  stepsBetween(from: number, to: SubFlagLevel): readonly Step[];
  /** Levels at which items that can show the pattern are served with a hint. */
  readonly supportedLevels: ReadonlySet<SubFlagLevel>;
}

/** Throws BundleError without the table; throws RangeError when it contains unknown values. */
export function compileEscalation(bundle: RuleBundle, catalogue: Catalogue): Escalation {
  const table = bundle.table('subflag/subflag');
  const steps: Step[] = [];
  const stepsOf = allHits(table, (answer) => {
    const step: Step = {
      level: levelOf(answer.number('level')),
      state: answer.word('outcome', subFlagStates),
      supportActive: answer.flag('supportActive'),
      alertSeverity: answer.word('alertSeverity', ['none', 'low']),
    };
    steps.push(step);
    return step;
  });
  steps.sort((a, b) => a.level - b.level);
  const highest = (counts: SubFlagCounts, known: readonly Step[]): Step | undefined =>
    [...known, ...stepsOf(factsOf(counts))].sort((a, b) => b.level - a.level)[0];
  return {
    flagOf(occurrences, deliveries, before) {
      const counts = risen(countsOf(occurrences, deliveries, catalogue), before);
      const step = highest(
        counts,
        steps.filter(({ level }) => level === before?.level),
      );
      if (!step) throw new RangeError(`${table.id} has no level for an occurrence`);
      return { ...counts, level: step.level, state: step.state };
    },
    stepsBetween: (from, to) => steps.filter(({ level }) => level > from && level <= to),
    supportedLevels: new Set(steps.filter(({ supportActive }) => supportActive).map(({ level }) => level)),
  };
}

function levelOf(value: number): SubFlagLevel {
  if (value === 1 || value === 2 || value === 3) return value;
  throw new RangeError(`subflag/subflag: ${value} is no level`);
}

/** Returns the facts for the table. */
export const factsOf = ({ sessionCount, supportDeliveredAt, ...counts }: SubFlagCounts) => ({
  validOccurrences: counts.validOccurrences,
  sessions: sessionCount,
  linkedOccurrences: counts.linkedOccurrences,
  supportDelivered: supportDeliveredAt !== null,
  occurrencesAfterSupport: counts.occurrencesAfterSupport,
});

function countsOf(
  occurrences: readonly Occurrence[],
  deliveries: readonly HintDelivery[],
  catalogue: Catalogue,
): SubFlagCounts {
  const support = [...deliveries].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))[0];
  return {
    validOccurrences: occurrences.length,
    sessionCount: new Set(occurrences.map(({ sessionId }) => sessionId)).size,
    linkedOccurrences: linkedInOneSession(occurrences, catalogue),
    occurrencesAfterSupport: support ? occurrences.filter((one) => isLater(one, support)).length : 0,
    supportDeliveredAt: support?.at ?? null,
  };
}

/** Returns whether an occurrence is in a session other than the delivery's that began no earlier than the delivery. */
const isLater = ({ sessionId, startedAt }: Occurrence, support: HintDelivery): boolean =>
  sessionId !== support.sessionId && Date.parse(startedAt) >= Date.parse(support.at);

function risen(now: SubFlagCounts, before: SubFlagCounts | undefined): SubFlagCounts {
  if (!before) return now;
  return {
    validOccurrences: Math.max(now.validOccurrences, before.validOccurrences),
    sessionCount: Math.max(now.sessionCount, before.sessionCount),
    linkedOccurrences: Math.max(now.linkedOccurrences, before.linkedOccurrences),
    occurrencesAfterSupport: Math.max(now.occurrencesAfterSupport, before.occurrencesAfterSupport),
    supportDeliveredAt: before.supportDeliveredAt ?? now.supportDeliveredAt,
  };
}
