// What a packet freezes for its document beside the evidence: the repeated measure of the role in focus with its aim line, the
// open plans with their steps, and the rules that led to the recommendation. It is not in responses.
import type { newestTrend } from '#assessment/measurement/index.ts';
import type { AssignmentState, GoalState } from '../../interventions/index.ts';

type Trend = NonNullable<Awaited<ReturnType<typeof newestTrend>>>;

/** Scores have up to 4 decimals; dates are local. */
export interface PacketSeries extends Pick<Trend, 'trendType' | 'goal'> {
  readonly baseline: { readonly score: number; readonly date: string } | null;
  /** In order of date; `aim` is null without an aim line and before its start. */
  readonly points: readonly Pick<Trend['points'][number], 'date' | 'score' | 'role' | 'aim'>[];
}

export interface PacketPlan {
  readonly assignmentId: string;
  readonly nameAr: string;
  readonly state: AssignmentState;
  readonly startOn: string;
  readonly currentStepNo: number | null;
  readonly steps: readonly {
    readonly stepNo: number;
    readonly sessionRole: string;
    readonly plannedSessions: number;
    readonly deliveredSessions: number;
    readonly goalState: GoalState;
  }[];
}

export interface PacketFigures {
  /** Null for a role without a repeated measure, and without a role in focus. */
  readonly measure: 'ORF_WCPM' | null;
  /** Null without a probe in the school year. */
  readonly series: PacketSeries | null;
  /** By their first days. */
  readonly plans: readonly PacketPlan[];
  /** In the order in which they were evaluated. */
  readonly ruleIds: readonly string[];
}
