// Divides a student's time into phases of a tier and a bundle, for charts of measurements.

import { daysAfter, daysBefore } from '#core/platform/pure/dates/days.ts';
import type { SupportTier } from '../../interventions/index.ts';

/** Local dates, both inclusive; `to` is null while the period lasts. */
interface Days {
  readonly from: string;
  readonly to: string | null;
}

export interface SupportPhase extends Days {
  readonly tier: SupportTier;
  /** Null: without a bundle. */
  readonly bundle_id: string | null;
}

export interface StudentHistory {
  /** First day in a class; null for a student who never was in one. */
  readonly enrolledOn: string | null;
  /** In order of commitment. */
  readonly movements: readonly { readonly toTier: SupportTier; readonly effectiveOn: string }[];
  readonly assignments: readonly {
    readonly bundle_id: string;
    readonly startOn: string;
    /** Last day; null while the assignment is open. */
    readonly endedOn: string | null;
  }[];
  readonly today: string;
}

/** Oldest first; two bundles at the same time are two phases of the same days. */
export function phasesOf({ enrolledOn, movements, assignments, today }: StudentHistory): SupportPhase[] {
  const begun = assignments.filter(({ startOn }) => startOn <= today);
  const phases = tiersOf(enrolledOn, movements).flatMap(({ tier, ...period }) => {
    const given = begun.flatMap(({ bundle_id, startOn, endedOn }) => {
      const days = common(period, { from: startOn, to: endedOn });
      return days ? [{ ...days, tier, bundle_id }] : [];
    });
    return [...given, ...without(period, given).map((days) => ({ ...days, tier, bundle_id: null }))];
  });
  return phases.sort(byBeginning);
}

function tiersOf(enrolledOn: string | null, movements: StudentHistory['movements']) {
  const first = enrolledOn ?? movements[0]?.effectiveOn;
  if (first === undefined) return [];
  const turns = [{ toTier: 1 as SupportTier, effectiveOn: first }, ...movements];
  return turns.flatMap(({ toTier: tier, effectiveOn: from }, at) => {
    const next = turns[at + 1]?.effectiveOn;
    if (next !== undefined && next <= from) return [];
    return [{ tier, from, to: next === undefined ? null : daysBefore(next, 1) }];
  });
}

const isBefore = (day: string, end: string | null): boolean => end === null || day <= end;

function common(one: Days, other: Days): Days | undefined {
  const from = one.from > other.from ? one.from : other.from;
  const to = one.to !== null && isBefore(one.to, other.to) ? one.to : other.to;
  return isBefore(from, to) ? { from, to } : undefined;
}

/** The days of a period without any assignment. */
function without(period: Days, given: readonly Days[]): Days[] {
  const gaps: Days[] = [];
  let from: string | null = period.from;
  for (const days of [...given].sort((a, b) => (a.from < b.from ? -1 : 1))) {
    if (from === null) break;
    if (days.from > from) gaps.push({ from, to: daysBefore(days.from, 1) });
    const after: string | null = days.to === null ? null : daysAfter(days.to, 1);
    from = after === null || after > from ? after : from;
  }
  if (from !== null && isBefore(from, period.to)) gaps.push({ from, to: period.to });
  return gaps;
}

const byBeginning = (left: SupportPhase, right: SupportPhase): number => {
  if (left.from !== right.from) return left.from < right.from ? -1 : 1;
  return (left.bundle_id ?? '') < (right.bundle_id ?? '') ? -1 : 1;
};
