// A student's way cut into phases, for a drawing of measurements over time: which tier, and which bundle was given in it.

import { daysAfter, daysBefore } from '#core/platform/pure/dates/days.ts';
import type { SupportTier } from '../../interventions/index.ts';

/** Local dates, both included; `to` is null while it goes on. */
interface Days {
  readonly from: string;
  readonly to: string | null;
}

export interface Phase extends Days {
  readonly tier: SupportTier;
  /** Null: nothing was given. */
  readonly bundle_id: string | null;
}

export interface Way {
  /** First day in a class; null for a student who never was in one. */
  readonly enrolledOn: string | null;
  /** In the order in which they were made. */
  readonly movements: readonly { readonly toTier: SupportTier; readonly effectiveOn: string }[];
  readonly plans: readonly {
    readonly bundle_id: string;
    readonly startOn: string;
    /** Last day; null for an open one. */
    readonly endedOn: string | null;
  }[];
  readonly today: string;
}

/** Oldest first; two bundles at once are two phases of the same days. */
export function phasesOf({ enrolledOn, movements, plans, today }: Way): Phase[] {
  const begun = plans.filter(({ startOn }) => startOn <= today);
  const phases = tiersOf(enrolledOn, movements).flatMap(({ tier, ...period }) => {
    const given = begun.flatMap(({ bundle_id, startOn, endedOn }) => {
      const days = common(period, { from: startOn, to: endedOn });
      return days ? [{ ...days, tier, bundle_id }] : [];
    });
    return [...given, ...without(period, given).map((days) => ({ ...days, tier, bundle_id: null }))];
  });
  return phases.sort(byBeginning);
}

function tiersOf(enrolledOn: string | null, movements: Way['movements']) {
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

/** The days of a period on which nothing was given. */
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

const byBeginning = (left: Phase, right: Phase): number => {
  if (left.from !== right.from) return left.from < right.from ? -1 : 1;
  return (left.bundle_id ?? '') < (right.bundle_id ?? '') ? -1 : 1;
};
