// The two sets of rules of a job, compiled once for as long as a process works at it.

import { simulation } from '#assessment/skill-status/index.ts';
import type { Services } from '#core/module/services.ts';
import { lruCache } from '#core/platform/pure/lru-cache.ts';
import { notificationSimulation } from '#messaging/notifications/index.ts';
import { rewardSimulation } from '#outcomes/rewards/index.ts';
import {
  type DocumentName,
  type DocumentValidators,
  documentName,
  documentValidators,
  overlaid,
  parseRuleDocument,
  type RuleBundle,
  type RuleDocument,
} from '#rules/rulesets/index.ts';
import { fidelitySimulation } from '#support/fidelity/index.ts';
import { supportSimulation } from '#support/interventions/index.ts';
import { tierSimulation } from '#support/rti/index.ts';
import { orderedTiles, type Scales } from './engine/direction.ts';
import { changedConstants, type RuleTables } from './engine/report.ts';
import { noticeLayers, notRaised, type ReportLayer, rewardLayers } from './engine/vocabulary.ts';
import type { ImpactJob } from './input.ts';
import { isTold } from './simulated-documents.ts';

export interface RulePair {
  readonly before: simulation.SimulatedRules;
  readonly after: simulation.SimulatedRules;
  /** The input of stored runs serves both. */
  readonly alike: boolean;
  /** The draft is about the situations in which a person looks first: what runs stored of that serves neither. */
  readonly asksReviews: boolean;
  readonly layers: readonly ReportLayer[];
  /** Of profiles, plans and groups, where the draft is about them. */
  readonly support: { readonly before: SupportRules; readonly after: SupportRules } | null;
  /** Of what was delivered of plans, where the draft is about that. */
  readonly fidelity: { readonly before: FidelityRules; readonly after: FidelityRules } | null;
  /** Of alerts and tiers, likewise. */
  readonly tiers: { readonly before: TierRules; readonly after: TierRules } | null;
  /** Of states of sub-skills, likewise. */
  readonly states: { readonly before: TierRules; readonly after: TierRules } | null;
  /** False where the draft is about what is told alone: then nothing else is looked at. */
  readonly isJudged: boolean;
  /** Of rewards, where the draft is about them. */
  readonly rewards: rewardSimulation.RewardPair | null;
  /** Of one kind of notification, likewise. */
  readonly notices: NoticePair | null;
}

interface NoticePair {
  readonly before: RuleBundle;
  readonly after: RuleBundle;
  readonly kind: notificationSimulation.SimulatedKind;
}

type SupportRules = ReturnType<typeof supportSimulation.supportRulesOf>;
type TierRules = ReturnType<typeof tierSimulation.tierRulesOf>;

type FidelityRules = ReturnType<typeof fidelitySimulation.fidelityRulesOf>;

/** By job: what a job is asked never changes. A thread may work at chunks of a few jobs in turns. */
const rulePairs = lruCache<RulePair>(4);

/** Throws RuleDocumentError, BundleError or RangeError when the new texts cannot be used. */
export async function rulePairOf(
  { rules, db, capabilities }: Pick<Services, 'capabilities' | 'rules' | 'db'>,
  { id, input }: Pick<ImpactJob, 'id' | 'input'>,
): Promise<RulePair> {
  const known = rulePairs.get(id);
  if (known) return known;
  const rulePair = rulePairFrom(await rules.pinned(db, input.before), input.texts, documentValidators(capabilities));
  rulePairs.set(id, rulePair);
  return rulePair;
}

export function rulePairFrom(bundle: RuleBundle, texts: readonly string[], shapes: DocumentValidators): RulePair {
  const documents = texts.map((text) => parseRuleDocument(text, shapes));
  const changed = overlaid(bundle, documents);
  const [before, after] = [simulation.simulatedRulesOf(bundle), simulation.simulatedRulesOf(changed)];
  const both = <T>(isOf: (name: string) => boolean, rulesOf: (one: RuleBundle) => T) =>
    documents.map(documentName).some(isOf) ? { before: rulesOf(bundle), after: rulesOf(changed) } : null;
  const support = both(supportSimulation.isSupportDocument, supportSimulation.supportRulesOf);
  const fidelity = both(fidelitySimulation.isFidelityDocument, fidelitySimulation.fidelityRulesOf);
  const tiers = both(tierSimulation.isTierDocument, tierSimulation.tierRulesOf);
  const states = both(tierSimulation.isStateDocument, tierSimulation.tierRulesOf);
  const rewards = both((name) => name === rewardSimulation.rewardsDocument, rewardSimulation.rewardRules);
  const notices = noticePair(bundle, changed, documents);
  const isJudged = !documents.map(documentName).every(isTold);
  const families = new Set(documents.map(({ meta }) => meta.family));
  const beside = (['RBM', 'SUBFLAG'] as const).filter((layer) => families.has(layer.toLowerCase()));
  const layers = [
    ...(isJudged ? simulation.layerNames : []),
    ...beside,
    ...(support ? (['PROFILE', 'BUNDLE'] as const) : []),
    ...(fidelity ? (['FIDELITY'] as const) : []),
    ...(states ? (['SKILL_STATE'] as const) : []),
    ...(tiers ? (['ALERT', 'TIER'] as const) : []),
    ...(rewards ? rewardLayers : []),
    ...(notices ? noticeLayers : []),
  ];
  const alike = simulation.gatherAlike(before, after);
  const asksReviews = documents.map(documentName).some(simulation.isDictionaryOfSituations);
  return { before, after, alike, asksReviews, layers, support, fidelity, tiers, states, isJudged, rewards, notices };
}

function noticePair(before: RuleBundle, after: RuleBundle, documents: readonly RuleDocument[]): NoticePair | null {
  const draft = documents.find((one) => notificationSimulation.isKindDocument(documentName(one)));
  return draft ? { before, after, kind: notificationSimulation.simulatedKind(before.documents, draft) } : null;
}

/** Worst to best, as the new tables order their words. */
export function scalesOf({ after: { bundle }, rewards }: RulePair): Scales {
  const order = (name: DocumentName) => bundle.table(name).document.outcomes.order;
  return {
    ADR: order('adr/adr'),
    CIS: order('cis/cis'),
    PAC: order('pac/pac'),
    SSR: order('ssr/ssr'),
    DDR: order('ddr/ddr'),
    DDR_LC: order('ddr-lc/ddr-lc'),
    DSM: [...order('esc/esc'), ...order('dsm/dsm')],
    TILE: orderedTiles,
    RBM: order('rbm/rbm'),
    SUBFLAG: order('subflag/subflag'),
    FIDELITY: order('fidelity/gate'),
    SKILL_STATE: tierSimulation.orderedStates,
    ALERT: order('rti/alerts'),
    ...{ XP: 'numbers', AVATAR_TIER: 'numbers', STREAK: 'numbers' },
    BADGE: [notRaised, ...(rewards ? [...rewards.before.badges, ...rewards.after.badges] : []).map(({ code }) => code)],
    NOTIFICATION: ['UnknownKind', 'PayloadInvalid', 'LanguageUnsafe', 'told'],
  };
}

const pipelineTables: readonly DocumentName[] = [
  'adr/adr',
  'cis/cis',
  'bnd/bnd',
  'pac/pac',
  'ssr/ssr',
  'ddr/ddr',
  'ddr-lc/ddr-lc',
  'dsm/dsm',
  'esc/esc',
];

/** The tables whose hits are told, in the order in which they work. */
export function ruleTablesOf(rulePair: RulePair): RuleTables[] {
  const { before, after, layers, support, fidelity, tiers, states, isJudged } = rulePair;
  const beside = besideThePipeline.filter(([layer]) => layers.includes(layer)).map(([, name]) => name);
  const idsIn = ({ bundle }: simulation.SimulatedRules, name: DocumentName) =>
    bundle.table(name).document.rules.map((rule) => rule.name);
  const behind = [
    ...(support ? supportSimulation.supportTables : []),
    ...(fidelity ? fidelitySimulation.fidelityTables : []),
    ...(states ? [tierSimulation.stateTable] : []),
    ...(tiers ? tierSimulation.tierTables : []),
  ];
  return [...(isJudged ? pipelineTables : []), ...beside, ...behind].map((name) => {
    return { name, before: idsIn(before, name), after: idsIn(after, name) };
  });
}

const besideThePipeline = [
  ['RBM', 'rbm/rbm'],
  ['SUBFLAG', 'subflag/subflag'],
] as const;

/** Changed constants of the tables beside the pipeline that act before anything is logged: no rule compares with them. */
export function notRehearsed({ before, after }: RulePair): string[] {
  const changed = (name: DocumentName) => {
    const [old, young] = [before.bundle.table(name).document, after.bundle.table(name).document];
    return { rules: JSON.stringify([old.rules, young.rules]), ids: changedConstants(old, young) };
  };
  return besideThePipeline.flatMap(([, name]) => {
    const { rules, ids } = changed(name);
    return ids.filter((id) => !rules.includes(`"valueRef":"${id}"`));
  });
}
