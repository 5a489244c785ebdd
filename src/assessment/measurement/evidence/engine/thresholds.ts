// The constants of `dth/dth` with descriptive names.
import type { Constant, FactValue, RuleBundle } from '#rules/rulesets/engine/index.ts';
import type { EvidenceSource } from './evidence.ts';

export type OrfVerdict = 'meets' | 'approaching' | 'below' | 'severe';

export interface Thresholds {
  readonly windowSessions: number;
  readonly minimumItems: number;
  /** Session rate below which the session counts as ok. */
  readonly okRate: number;
  /** Session rate from which the session counts as weak. */
  readonly weakRate: number;
  readonly sideUnits: number;
  /** Days from an old side to a new one from which the old one no longer counts; null in versions without the rule. */
  readonly recencyDays: number | null;
  /** Weight of the assumed right answers in the severity of a gateway skill. */
  readonly severityPrior: number;
  readonly validEvidenceItems: number;
  readonly coverage: number;
  readonly supportShare: number;
  readonly slowShare: number;
  readonly prerequisiteShare: number;
  readonly behaviourShare: number;
  readonly linkedItems: number;
  readonly persistentUnits: number;
  readonly persistentSessions: number;
  readonly mediumConfidenceItems: number;
  readonly highConfidenceItems: number;
  readonly confidenceSessions: number;
  readonly gatewayWeight: number;
  readonly sourceWeight: Readonly<Record<EvidenceSource, number>>;
  /** Answers that take more than this many times the expected time are slow. */
  readonly slowFactor: number;
  readonly orfUnits: number;
  readonly orfWrongUnits: Readonly<Record<OrfVerdict, number>>;
}

/** Throws RangeError when a constant is missing or not a number. */
export function readThresholds(bundle: RuleBundle): Thresholds {
  const { constants } = bundle.values<{ readonly constants?: Readonly<Record<string, Constant>> }>('dth/dth');
  const value = (id: string) => numberOf(id, constants?.[`DTH-${id}`]?.value);
  refuseImpossibleReadings(value);
  refuseEarlyRecency(constants, value);
  return {
    windowSessions: value('WIN-01'),
    minimumItems: value('MIN-01'),
    okRate: value('DEF-01'),
    weakRate: value('DEF-02'),
    sideUnits: value('CNF-03'),
    recencyDays: constants?.['DTH-CNF-05'] === undefined ? null : value('CNF-05'),
    severityPrior: value('SEV-02'),
    validEvidenceItems: value('EVD-01'),
    coverage: value('COV-01'),
    supportShare: value('SUP-01'),
    slowShare: value('SLW-01'),
    prerequisiteShare: value('PRQ-01'),
    behaviourShare: value('RBM-01'),
    linkedItems: value('PAT-01'),
    persistentUnits: value('PAT-02'),
    persistentSessions: value('PAT-03'),
    mediumConfidenceItems: value('CON-01'),
    highConfidenceItems: value('CON-02'),
    confidenceSessions: value('CON-03'),
    gatewayWeight: value('GTW-01'),
    sourceWeight: { diagnostic: value('SRC-01'), orf: value('SRC-02'), practice: value('SRC-03') },
    slowFactor: value('SLO-01'),
    orfUnits: value('ORF-01'),
    orfWrongUnits: {
      meets: value('ORF-02'),
      approaching: value('ORF-03'),
      below: value('ORF-04'),
      severe: value('ORF-05'),
    },
  };
}

const verdictIds = ['ORF-02', 'ORF-03', 'ORF-04', 'ORF-05'];

/** Throws when a reading would count more wrong units than it has. */
function refuseImpossibleReadings(value: (id: string) => number): void {
  const above = verdictIds.find((id) => value(id) > value('ORF-01'));
  if (above !== undefined) throw new RangeError(`dth/dth: DTH-${above} is more than DTH-ORF-01`);
}

/** Throws when sides would be far enough apart for the newer one to win, and yet too near for the table to say so. */
function refuseEarlyRecency(
  constants: Readonly<Record<string, Constant>> | undefined,
  value: (id: string) => number,
): void {
  if (constants?.['DTH-CNF-05'] === undefined || value('CNF-05') >= value('CNF-02')) return;
  throw new RangeError('dth/dth: DTH-CNF-05 is less than DTH-CNF-02');
}

function numberOf(id: string, value: FactValue | undefined): number {
  if (typeof value !== 'number') throw new RangeError(`dth/dth has no number DTH-${id}`);
  return value;
}
