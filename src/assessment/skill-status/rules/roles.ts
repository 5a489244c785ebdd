// The domain roles of a pinned rule bundle, compiled once a process.

import { unavailable } from '#core/platform/errors.ts';
import { type Catalogue, compileRoles, type Roles } from '#rules/catalogue/index.ts';
import { BundleError, type RuleBundle } from '#rules/rulesets/index.ts';

const compiled = new WeakMap<RuleBundle, Roles>();

/** Throws ENGINE_UNAVAILABLE when the bundle does not bind the roles. */
export function rolesOf(bundle: RuleBundle, catalogue: Catalogue): Roles {
  const known = compiled.get(bundle);
  if (known) return known;
  try {
    const roles = compileRoles(bundle, catalogue);
    compiled.set(bundle, roles);
    return roles;
  } catch (error) {
    if (error instanceof BundleError) throw unavailable('A rule document of the domain roles is missing.');
    throw error;
  }
}
