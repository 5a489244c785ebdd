// The pipeline and the domain roles of a pinned rule bundle, compiled once per process, and the engine's own documents.
import { compileRoles } from '#rules/catalogue/index.ts';
import { perBundle, type Versions } from '#rules/rulesets/index.ts';
import { compilePipeline } from '../engine/evaluate.ts';

/** Families of the engine in pipeline order. Each has one document, named like the family. */
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

/** Throws ENGINE_UNAVAILABLE when the bundle does not bind the roles, or lacks a document that the engine needs. */
export const rolesOf = perBundle(
  (bundle) => compileRoles(bundle, pipelineOf(bundle).catalogue),
  'A rule document of the domain roles is missing.',
);

/** Returns whether a document, `family/key`, decides results of the engine. */
export const isEngineDocument = (name: string): boolean => documents.has(name);

/** Returns whether the document defines which context flags require review, which also affects results. */
export const isContextFlagDictionary = (name: string): boolean => name === 'language/context-flags';

/** Returns whether a new version of a document requires students to be evaluated again. */
export const changesStatuses = (name: string): boolean => isEngineDocument(name) || isContextFlagDictionary(name);

/** Returns the versions of the engine's own documents; other documents change no result of the engine. */
export const engineVersions = (versions: Versions): Versions =>
  Object.fromEntries(Object.entries(versions).filter(([name]) => documents.has(name))) as Versions;
