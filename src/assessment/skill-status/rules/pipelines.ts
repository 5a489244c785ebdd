// The pipeline of a pinned rule bundle, compiled once a process, and how its rules are stamped on what they decide.
import { perBundle, type Versions } from '#rules/rulesets/index.ts';
import { compilePipeline } from '../engine/evaluate.ts';

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

/** Throws ENGINE_UNAVAILABLE when the bundle lacks a document that the engine needs. */
export const pipelineOf = perBundle(compilePipeline, 'A rule document of the engine is missing.');

/** Whether a document, `family/key`, decides results of the engine. */
export const isEngineDocument = (name: string): boolean => documents.has(name);

/** Says in which situations a person looks first: it decides results too, through what is known of a student. */
export const isDictionaryOfSituations = (name: string): boolean => name === 'language/context-flags';

/** Whether students have to be judged again when another version of a document comes into force. */
export const changesStatuses = (name: string): boolean => isEngineDocument(name) || isDictionaryOfSituations(name);

/** The engine's own documents among a bundle's: a new version of any other changes no result of the engine. */
export const engineVersions = (versions: Versions): Versions =>
  Object.fromEntries(Object.entries(versions).filter(([name]) => documents.has(name))) as Versions;
