// The pipeline of a pinned rule bundle, compiled once a process, and how its rules are stamped on what they decide.
import { unavailable } from '#core/platform/errors.ts';
import type { Versions } from '#rules/rulesets/index.ts';
import { BundleError, type RuleBundle } from '#rules/rulesets/index.ts';
import { compilePipeline, type Pipeline } from '../engine/evaluate.ts';

/** Families of the engine in the order in which their layers work. Each has one document, named like the family. */
export const ruleFamilies = [
  'dth',
  'adr',
  'cis',
  'bnd',
  'pac',
  'ssr',
  'ddr',
  'ddr-lc',
  'dsm',
  'esc',
  'rbm',
  'subflag',
] as const;
export type RuleFamily = (typeof ruleFamilies)[number];

const documents: ReadonlySet<string> = new Set([
  'catalogue/subskills',
  ...ruleFamilies.map((family) => `${family}/${family}`),
]);

const compiled = new WeakMap<RuleBundle, Pipeline>();

/** Throws ENGINE_UNAVAILABLE when the bundle lacks a document that the engine needs. */
export function pipelineOf(bundle: RuleBundle): Pipeline {
  const known = compiled.get(bundle);
  if (known) return known;
  try {
    const pipeline = compilePipeline(bundle);
    compiled.set(bundle, pipeline);
    return pipeline;
  } catch (error) {
    if (error instanceof BundleError) throw unavailable('A rule document of the engine is missing.');
    throw error;
  }
}

/** Whether a document, `family/key`, decides results of the engine. */
export const isEngineDocument = (name: string): boolean => documents.has(name);

/** Says in which situations a person looks first: it decides results too, through what is known of a student. */
export const isDictionaryOfSituations = (name: string): boolean => name === 'language/context-flags';

/** Whether students have to be judged again when another version of a document comes into force. */
export const changesStatuses = (name: string): boolean => isEngineDocument(name) || isDictionaryOfSituations(name);

/** The engine's own documents among a bundle's: a new version of any other changes no result of the engine. */
export const engineVersions = (versions: Versions): Versions =>
  Object.fromEntries(Object.entries(versions).filter(([name]) => documents.has(name))) as Versions;
