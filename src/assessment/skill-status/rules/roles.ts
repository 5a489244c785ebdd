// The domain roles of a pinned rule bundle, compiled once per process.
import { compileRoles } from '#rules/catalogue/index.ts';
import { perBundle } from '#rules/rulesets/index.ts';
import { pipelineOf } from './pipelines.ts';

/** Throws ENGINE_UNAVAILABLE when the bundle does not bind the roles, or lacks a document that the engine needs. */
export const rolesOf = perBundle(
  (bundle) => compileRoles(bundle, pipelineOf(bundle).catalogue),
  'A rule document of the domain roles is missing.',
);
