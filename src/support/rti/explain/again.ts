// What was stored of alerts and of states of skills, made again from what was pinned beside it, by the rules of then.

import type { Services } from '#core/module/services.ts';
import { AppError } from '#core/platform/errors.ts';
import { isSameJson } from '#core/platform/pure/same-json.ts';
import { BundleError, type DecisionView, type Facts, type RuleBundle, type Versions } from '#rules/rulesets/index.ts';
import { decisionsOf } from '../../interventions/index.ts';
import type { AlertEvaluation } from '../engine/alerts/alert.ts';
import { compileAlerts } from '../engine/alerts/evaluate.ts';
import type { MachineInput } from '../evaluation/alerts.ts';

type Pinning = Pick<Services, 'db' | 'rules'>;

export interface EvaluatedAgain {
  readonly bundle: RuleBundle;
  readonly answer: AlertEvaluation;
}

/** Today's rules play no part. Throws ENGINE_UNAVAILABLE when rules cannot be read. */
export async function evaluatedAgain(
  { db, rules }: Pinning,
  { facts, alerts, today }: MachineInput,
  ruleVersions: Versions,
): Promise<EvaluatedAgain> {
  const bundle = await rules.pinned(db, ruleVersions);
  return { bundle, answer: compileAlerts(bundle).evaluate(facts, alerts, today) };
}

export interface StoredState {
  readonly studentId: number;
  readonly fromState: string | null;
  readonly state: string;
  readonly ruleId: string;
  readonly facts: Facts;
  readonly ruleVersions: Versions;
}

export interface StateAgain {
  readonly decisions: readonly DecisionView[];
  readonly isSame: boolean;
}

/** The question that layer A answered with a change. */
export async function stateAgain({ db, rules }: Pinning, row: StoredState): Promise<StateAgain> {
  const bundle = await rules.pinned(db, row.ruleVersions);
  const decisions = decisionsOf(bundle, String(row.studentId), [['rti/skill-state', row.facts]]);
  const [decision] = decisions;
  const answered = decision && 'ruleId' in decision ? [decision.ruleId, decision.outcome] : [];
  const isPrior = row.facts.prior === (row.fromState ?? 'none');
  return { decisions, isSame: isPrior && isSameJson(answered, [row.ruleId, row.state]) };
}

/** Rules that cannot be read any more are a difference, and no reason to stop. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof BundleError ||
  error instanceof RangeError ||
  (error instanceof AppError && error.code === 'ENGINE_UNAVAILABLE');
