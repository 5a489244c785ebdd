// The scaffold tier with which a bundle starts (SCF), and its delivery mode (DLM).
import { round4 } from '#core/platform/pure/round.ts';
import { firstHit, type RuleBundle } from '#rules/rulesets/engine/index.ts';
import { listedFacts } from '../typed-facts.ts';
import {
  type DeliveryMode,
  deliveryModes,
  type ScaffoldTier,
  type StatusOrNone,
  type SupportTier,
  scaffoldTiers,
} from '../vocabulary.ts';
import type { InterventionBundle } from './catalogue.ts';

/** Analysable scored responses of the period over the anchor's skill group: correct alone, correct with support, wrong. */
export type TierCounts = Readonly<Record<ScaffoldTier, number>>;

/** 0 to 1; null without a response. */
export function independentRateOf({ Level_1, Level_2, Level_3 }: TierCounts): number | null {
  const all = Level_1 + Level_2 + Level_3;
  return all === 0 ? null : round4(Level_1 / all);
}

export interface ScaffoldQuestion {
  /** The tier of an open assignment that continues; null when a new one would start. */
  readonly openTier: ScaffoldTier | null;
  readonly anchorStatus: StatusOrNone;
  readonly independentRate: number | null;
}

export const scaffoldTierFacts = listedFacts({
  continueOpen: 'flag',
  anchorStatus: 'word',
  independentRate: 'number',
  independentRateKnown: 'flag',
});

/** The facts are in the order of the table. */
const scaffoldFacts = ({ openTier, anchorStatus, independentRate }: ScaffoldQuestion) => ({
  continueOpen: openTier !== null,
  anchorStatus,
  independentRate: independentRate ?? 0,
  independentRateKnown: independentRate !== null,
});

export interface DeliveryQuestion {
  readonly bundle: InterventionBundle;
  readonly tier: SupportTier;
  readonly scaffoldTier: ScaffoldTier;
  readonly grade: number;
}

export const deliveryModeFacts = listedFacts({
  hasModes: 'flag',
  tier: 'number',
  scaffoldTier: 'word',
  grade: 'number',
  selfPacedListed: 'flag',
});

const deliveryFacts = ({ bundle, tier, scaffoldTier, grade }: DeliveryQuestion) => ({
  hasModes: bundle.deliveryModes.length > 0,
  tier,
  scaffoldTier,
  grade,
  selfPacedListed: bundle.deliveryModes.includes('digital_self_paced'),
});

export interface ScaffoldAnswer {
  readonly facts: ReturnType<typeof scaffoldFacts>;
  readonly ruleId: string;
  readonly scaffoldTier: ScaffoldTier;
}
export interface DeliveryAnswer {
  readonly facts: ReturnType<typeof deliveryFacts>;
  readonly ruleId: string;
  readonly deliveryMode: DeliveryMode | 'none';
}

export interface DeliveryRules {
  scaffold(question: ScaffoldQuestion): ScaffoldAnswer;
  delivery(question: DeliveryQuestion): DeliveryAnswer;
}

export function compileDelivery(bundle: RuleBundle): DeliveryRules {
  const askTier = firstHit(bundle.table('bundle/scaffold-tier'), scaffoldTierFacts, (answer) => ({
    ruleId: answer.ruleId,
    outcome: answer.word('outcome', [...scaffoldTiers, 'assignment']),
  }));
  const askMode = firstHit(bundle.table('bundle/delivery-mode'), deliveryModeFacts, (answer) => ({
    ruleId: answer.ruleId,
    outcome: answer.word('outcome', [...deliveryModes, 'none', 'default']),
  }));
  return {
    scaffold(question) {
      const facts = scaffoldFacts(question);
      const { ruleId, outcome } = askTier(facts);
      if (outcome !== 'assignment') return { facts, ruleId, scaffoldTier: outcome };
      if (question.openTier === null)
        throw new RangeError(`${ruleId} keeps the tier of an assignment that is not there`);
      return { facts, ruleId, scaffoldTier: question.openTier };
    },
    delivery(question) {
      const facts = deliveryFacts(question);
      const { ruleId, outcome } = askMode(facts);
      const deliveryMode = outcome === 'default' ? (question.bundle.deliveryModes[0] ?? 'none') : outcome;
      return { facts, ruleId, deliveryMode };
    },
  };
}
