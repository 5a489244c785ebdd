// Typed facts of DDR, DDR-LC and DSM.
import type { TypedFacts } from '#rules/rulesets/engine/index.ts';
import type { FactorState, SkillStatus } from '../vocabulary.ts';

type DdrFacts = {
  readonly decided: number;
  readonly anyContext: boolean;
  readonly broadWeak: boolean;
  readonly gatewayWeak: boolean;
  readonly coreWeak: number;
  readonly coreWeakShare: number;
  readonly anyCaution: boolean;
  readonly gatewayMonitor: boolean;
  readonly anyMonitor: boolean;
};

export const ddrFacts: TypedFacts<DdrFacts> = ({ number, flag }) => {
  const decided = number('decided');
  const anyContext = flag('anyContext');
  const broadWeak = flag('broadWeak');
  const gatewayWeak = flag('gatewayWeak');
  const coreWeak = number('coreWeak');
  const coreWeakShare = number('coreWeakShare');
  const anyCaution = flag('anyCaution');
  const gatewayMonitor = flag('gatewayMonitor');
  const anyMonitor = flag('anyMonitor');
  return (facts) =>
    decided(facts.decided) &
    anyContext(facts.anyContext) &
    broadWeak(facts.broadWeak) &
    gatewayWeak(facts.gatewayWeak) &
    coreWeak(facts.coreWeak) &
    coreWeakShare(facts.coreWeakShare) &
    anyCaution(facts.anyCaution) &
    gatewayMonitor(facts.gatewayMonitor) &
    anyMonitor(facts.anyMonitor);
};

type DdrLcFacts = {
  readonly comprehension: 'weak' | 'doubtful';
  readonly decodingState: FactorState;
  readonly languageState: FactorState;
};

export const ddrLcFacts: TypedFacts<DdrLcFacts> = ({ word }) => {
  const comprehension = word('comprehension');
  const decodingState = word('decodingState');
  const languageState = word('languageState');
  return (facts) =>
    comprehension(facts.comprehension) & decodingState(facts.decodingState) & languageState(facts.languageState);
};

export const dsmFacts: TypedFacts<{ readonly domainStatus: SkillStatus; readonly coverage: number }> = (of) => {
  const domainStatus = of.word('domainStatus');
  const coverage = of.number('coverage');
  return (facts) => domainStatus(facts.domainStatus) & coverage(facts.coverage);
};
