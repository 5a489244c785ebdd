// Names from rule documents for the codes of a packet, in the versions of its stamp: later names do not change an earlier
// document.
import type { CatalogueDocument } from '#rules/catalogue/index.ts';
import type { ContextFlags } from '#rules/language/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import type { Names } from './printed.ts';

/** The documents in a packet's stamp: those that decide on it, and those that name its codes. */
export const packetDocuments: readonly string[] = [
  ...['rti/data-sufficiency', 'rti/tier-recommendation', 'fidelity/gate', 'fidelity/settings', 'bundle/settings'],
  ...['catalogue/subskills', 'language/context-flags', 'rti/decision-packet', 'rti/reason-codes'],
  'bundle/session-codes',
];

interface Named {
  readonly ar: string;
}

interface PacketDocument {
  readonly reviewTypes: readonly (Named & { readonly code: string })[];
  readonly gates: readonly (Named & { readonly gateId: string })[];
}

interface ReasonDocument {
  readonly codes: readonly { readonly code: string; readonly labelAr: string }[];
}

interface SessionCodesDocument {
  readonly observations: readonly (Named & { readonly code: string })[];
}

export function namesIn(bundle: RuleBundle): Names {
  const { subSkills, domains } = bundle.values<CatalogueDocument>('catalogue/subskills');
  const { reviewTypes, gates } = bundle.values<PacketDocument>('rti/decision-packet');
  const { codes } = bundle.values<ReasonDocument>('rti/reason-codes');
  const { flags } = bundle.values<ContextFlags>('language/context-flags');
  const observations = observationsIn(bundle);
  const named = <T extends Named>(list: readonly T[], is: (one: T) => boolean) => list.find(is)?.ar;
  return {
    ofReview: (code) => named(reviewTypes, (one) => one.code === code),
    ofGate: (gateId) => named(gates, (one) => one.gateId === gateId),
    ofSkill: (code) => named(subSkills, (one) => one.code === code),
    ofDomain: (code) => named(domains, (one) => one.code === code),
    ofReason: (code) => codes.find((one) => one.code === code)?.labelAr,
    ofFlag: (code) => named(flags, (one) => one.code === code),
    ofObservation: (code) => named(observations, (one) => one.code === code),
  };
}

/** A packet from before observations were evidence has no stamp of their document. */
const observationsIn = (bundle: RuleBundle): SessionCodesDocument['observations'] =>
  bundle.versions['bundle/session-codes'] === undefined
    ? []
    : bundle.values<SessionCodesDocument>('bundle/session-codes').observations;
