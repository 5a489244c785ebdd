// Replays stored evaluations of alerts and changes of skill states, from their pinned input and rules.

import type { Services } from '#core/module/services.ts';
import { AppError } from '#core/platform/errors.ts';
import { isSameJson } from '#core/platform/pure/same-json.ts';
import { BundleError, type DecisionView, type Facts, type RuleBundle, type Versions } from '#rules/rulesets/index.ts';
import { decisionsOf } from '../../interventions/index.ts';
import type { AlertEvaluation } from '../engine/alerts/alert.ts';
import { compileAlerts } from '../engine/alerts/evaluate.ts';
import type { MachineInput } from '../evaluation/alerts.ts';

type Pinning = Pick<Services, 'db' | 'rules'>;

export interface EvaluationReplay {
  readonly bundle: RuleBundle;
  readonly answer: AlertEvaluation;
}

/** Uses the pinned rules only. Throws ENGINE_UNAVAILABLE when rules cannot be read. */
export async function replayEvaluation(
  { db, rules }: Pinning,
  { facts, alerts, today }: MachineInput,
  ruleVersions: Versions,
): Promise<EvaluationReplay> {
  const bundle = await rules.pinned(db, ruleVersions);
  return { bundle, answer: compileAlerts(bundle).evaluate(facts, alerts, today) };
}

export interface StoredSkillState {
  readonly studentId: number;
  readonly fromState: string | null;
  readonly state: string;
  readonly ruleId: string;
  readonly facts: Facts;
  readonly ruleVersions: Versions;
}

export interface StateReplay {
  readonly decisions: readonly DecisionView[];
  readonly isSame: boolean;
}

/** The decision of layer A that led to the change. */
export async function replayState({ db, rules }: Pinning, row: StoredSkillState): Promise<StateReplay> {
  const bundle = await rules.pinned(db, row.ruleVersions);
  const decisions = decisionsOf(bundle, String(row.studentId), [['rti/skill-state', row.facts]]);
  const [decision] = decisions;
  const answered = decision && 'ruleId' in decision ? [decision.ruleId, decision.outcome] : [];
  const isPrior = row.facts.prior === (row.fromState ?? 'none');
  return { decisions, isSame: isPrior && isSameJson(answered, [row.ruleId, row.state]) };
}

/** Rules that can no longer be read count as a difference, and do not stop the replay. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof BundleError ||
  error instanceof RangeError ||
  (error instanceof AppError && error.code === 'ENGINE_UNAVAILABLE');
