// Compiles a capability's rules from a bundle, once per process; a missing document is refused.
import { unavailable } from '#core/platform/errors.ts';
import { BundleError, oncePerBundle, type RuleBundle } from './engine/bundle.ts';

/**
 * Returns `compile` with its result cached per bundle. It throws ENGINE_UNAVAILABLE with the text `missing` when a
 * document is missing.
 */
export const perBundle = <Compiled extends object>(
  compile: (bundle: RuleBundle) => Compiled,
  missing: string,
): ((bundle: RuleBundle) => Compiled) => oncePerBundle((bundle) => requireDocuments(() => compile(bundle), missing));

/** Returns what `read` returns. Throws ENGINE_UNAVAILABLE with the text `missing` when a document is missing. */
export function requireDocuments<Result>(read: () => Result, missing: string): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof BundleError) throw unavailable(missing);
    throw error;
  }
}
