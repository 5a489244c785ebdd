// The two sets of rules of an impact job, compiled once in each process that works on it.

import { simulation } from '#assessment/skill-status/index.ts';
import type { Services } from '#core/module/services.ts';
import { lruCache } from '#core/platform/pure/lru-cache.ts';
import {
  type DocumentName,
  type DocumentValidators,
  documentName,
  documentValidators,
  overlaid,
  parseRuleDocument,
  type RecordSimulation,
  type RecordSimulator,
  type ResultSimulation,
  type ResultSimulator,
  type RuleBundle,
  type RuleDocument,
  type SimulationCounts,
  type Simulator,
  simulatorsOf,
} from '#rules/rulesets/index.ts';
import { orderedTiles, type Scales } from './engine/direction.ts';
import type { RuleTables } from './engine/report.ts';
import type { ImpactJob } from './input.ts';

/** A simulator whose documents are in the draft. */
interface Active<Part, Simulation> {
  readonly simulator: Part;
  readonly simulation: Simulation;
}

export interface RulePair {
  readonly before: simulation.SimulatedRules;
  readonly after: simulation.SimulatedRules;
  /** The texts of the change. */
  readonly documents: readonly RuleDocument[];
  /** The stored input of runs is valid for both. */
  readonly alike: boolean;
  /** The draft changes which situations need a review by a person first, so that what runs stored of it is read anew. */
  readonly asksReviews: boolean;
  /** Layers of the report, in their order. */
  readonly layers: readonly string[];
  /** False where the draft is about records alone: then no run is evaluated. */
  readonly evaluatesRuns: boolean;
  readonly results: readonly Active<ResultSimulator, ResultSimulation>[];
  readonly records: readonly Active<RecordSimulator, RecordSimulation>[];
}

/** What is needed to parse and simulate the texts of a draft. */
export interface SimulationParts {
  readonly validators: DocumentValidators;
  readonly simulators: readonly Simulator[];
}

export const simulationParts = ({ capabilities }: Pick<Services, 'capabilities'>): SimulationParts => ({
  validators: documentValidators(capabilities),
  simulators: simulatorsOf(capabilities),
});

/** By job id, since the input of a job never changes. A thread may alternate between chunks of a few jobs. */
const rulePairs = lruCache<RulePair>(4);

/** Throws RuleDocumentError, BundleError or RangeError for texts that cannot be used. */
export async function rulePairOf(
  services: Pick<Services, 'capabilities' | 'rules' | 'db'>,
  { id, input }: Pick<ImpactJob, 'id' | 'input'>,
): Promise<RulePair> {
  const known = rulePairs.get(id);
  if (known) return known;
  const bundle = await services.rules.pinned(services.db, input.before);
  const rulePair = rulePairFrom(bundle, input.texts, simulationParts(services));
  rulePairs.set(id, rulePair);
  return rulePair;
}

export function rulePairFrom(
  bundle: RuleBundle,
  texts: readonly string[],
  { validators, simulators }: SimulationParts,
): RulePair {
  const documents = texts.map((text) => parseRuleDocument(text, validators));
  const names = documents.map(documentName);
  const bundles = { before: bundle, after: overlaid(bundle, documents), documents };
  const [before, after] = [simulation.simulatedRulesOf(bundle), simulation.simulatedRulesOf(bundles.after)];
  const asked = simulators.filter((simulator) => names.some(simulator.simulates));
  const results = asked.flatMap((one) =>
    one.compares === 'results' ? [{ simulator: one, simulation: one.prepare(bundles) }] : [],
  );
  const records = asked.flatMap((one) =>
    one.compares === 'records' ? [{ simulator: one, simulation: one.prepare(bundles) }] : [],
  );
  const evaluatesRuns = !names.every((name) => records.some(({ simulator }) => simulator.simulates(name)));
  return {
    ...{ before, after, documents, evaluatesRuns, results, records },
    alike: simulation.gatherAlike(before, after),
    asksReviews: names.some(simulation.isContextFlagDictionary),
    layers: [...(evaluatesRuns ? simulation.layerNames : []), ...asked.flatMap(({ layers }) => layers)],
  };
}

const activeIn = ({ results, records }: RulePair) => [...results, ...records];

/** Scales by layer, worst to best, as the tables with the draft order their outcomes. */
export function scalesOf(rulePair: RulePair): Scales {
  const order = (name: DocumentName) => rulePair.after.bundle.table(name).document.outcomes.order;
  return {
    ADR: order('adr/adr'),
    CIS: order('cis/cis'),
    PAC: order('pac/pac'),
    SSR: order('ssr/ssr'),
    DDR: order('ddr/ddr'),
    DDR_LC: order('ddr-lc/ddr-lc'),
    DSM: [...order('esc/esc'), ...order('dsm/dsm')],
    TILE: orderedTiles,
    ...Object.assign({}, ...activeIn(rulePair).map(({ simulation: { scales } }) => scales)),
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

/** The tables whose hits are reported, in the order in which they are evaluated. */
export function ruleTablesOf(rulePair: RulePair): RuleTables[] {
  const { before, after, evaluatesRuns } = rulePair;
  const idsIn = ({ bundle }: simulation.SimulatedRules, name: DocumentName) =>
    bundle.table(name).document.rules.map((rule) => rule.name);
  const simulated = activeIn(rulePair).flatMap(({ simulation: { tables = [] } }) => tables);
  return [...(evaluatesRuns ? pipelineTables : []), ...simulated].map((name) => {
    return { name, before: idsIn(before, name), after: idsIn(after, name) };
  });
}

/** Ids of changed constants whose effect is not in the report. */
export const notSimulated = (rulePair: RulePair): string[] =>
  activeIn(rulePair).flatMap((active) => active.simulation.notSimulated ?? []);

/** Returns the sections of the report by name; null for simulators that the draft is not about. */
export function sectionsOf(rulePair: RulePair, simulators: readonly Simulator[], counts: SimulationCounts) {
  const active = activeIn(rulePair);
  const sections = simulators.flatMap((simulator) => {
    if (!simulator.section) return [];
    const own = active.find((one) => one.simulator === simulator)?.simulation;
    return [[simulator.section.name, own?.sectionOf?.(counts) ?? null] as const];
  });
  return Object.fromEntries(sections);
}
