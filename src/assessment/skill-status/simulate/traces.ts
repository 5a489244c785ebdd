// Traces a layer's answer for one subject: the question to its table, and each rule that was tried.

import type { TraceStep } from '#rules/rulesets/index.ts';
import { type Facts, type RuleBundle, traceUntil } from '#rules/rulesets/index.ts';
import type { EvaluationInput } from '../../measurement/index.ts';
import { type LayerName, layerAnswers, layerNames } from '../engine/layer-answers.ts';
import { type TracedCall, type TracedEvaluation, traceEvaluation } from '../engine/traced.ts';

export interface AnswerTrace {
  readonly ruleId: string | null;
  readonly outcome: string;
  /** Null without a table: a tile is rolled up, confidence follows from counts, one session has no conflict. */
  readonly facts: Facts | null;
  readonly trace: readonly TraceStep[];
}

/** The outcome of a layer that was not asked about the subject. */
export const unasked = 'not_asked';

export interface TracedLayers {
  /** `escalated`: for a domain's tile, return the escalation question instead of the one before. */
  answer(layer: LayerName, subject: string, escalated: boolean): AnswerTrace;
  /** Returns whether escalation was evaluated for a domain. */
  wasEscalated(domain: string): boolean;
}

/** Throws what `evaluateStudent` throws. */
export function traceLayers(input: EvaluationInput, bundle: RuleBundle): TracedLayers {
  const traced = traceEvaluation(input, bundle);
  const answers = layerAnswers(traced.evaluation);
  const indexes = new Map(
    layerNames.map((layer) => [layer, new Map(answers[layer].map(({ subject }, at) => [subject, at]))]),
  );
  return {
    answer: (layer, subject, escalated) => {
      const index = indexes.get(layer)?.get(subject);
      const answer = index === undefined ? undefined : answers[layer][index];
      if (index === undefined || !answer) return { ruleId: null, outcome: unasked, facts: null, trace: [] };
      const { ruleId, outcome } = answer;
      const call = callOf(traced, layer, subject, index, escalated);
      return { ruleId, outcome, facts: call?.facts ?? null, trace: call ? traceOf(call) : [] };
    },
    wasEscalated: (domain) => named(traced.ofDomain.get(domain), 'esc/esc') !== undefined,
  };
}

function callOf(
  { ofResponse, ofSubSkill, ofDomain, ofComprehension }: TracedEvaluation,
  layer: LayerName,
  subject: string,
  index: number,
  escalated: boolean,
): TracedCall | undefined {
  switch (layer) {
    case 'ADR':
      return ofResponse[index]?.[0];
    case 'CIS':
    case 'PAC':
    case 'SSR':
      return named(ofSubSkill.get(subject), `${layer.toLowerCase()}/${layer.toLowerCase()}`);
    case 'DDR':
      return named(ofDomain.get(subject), 'ddr/ddr');
    case 'DSM':
      return named(ofDomain.get(subject), escalated ? 'esc/esc' : 'dsm/dsm');
    case 'DDR_LC':
      return ofComprehension[0];
    case 'CONFIDENCE':
    case 'STRENGTH':
    case 'TILE':
      return undefined;
  }
}

const named = (calls: readonly TracedCall[] | undefined, name: string): TracedCall | undefined =>
  calls?.find(({ table }) => table.name === name);

/** Returns the rules tried: for a first-hit table up to the rule that held; for a collect table all. */
function traceOf({ table, facts, hits }: TracedCall): TraceStep[] {
  if (!table.isFirstHit) return traceUntil(table, facts);
  const row = table.document.rules.findIndex(({ name }) => name === hits[0]?.ruleId);
  return traceUntil(table, facts, row < 0 ? undefined : row);
}
