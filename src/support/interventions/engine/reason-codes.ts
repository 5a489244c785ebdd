// The dictionaries of reason codes, by scope.
import type { RuleBundle } from '#rules/rulesets/engine/index.ts';

export interface ReasonCode {
  readonly code: string;
  readonly scope: string;
  readonly kind: 'override' | 'reason';
  readonly labelAr: string;
  readonly labelEn: string;
}

export interface ReasonCodes {
  readonly codes: readonly ReasonCode[];
  /** Returns undefined for a code of this scope. */
  faultOf(code: string, scope: string): 'unknown_code' | 'wrong_scope' | undefined;
}

/** Throws BundleError when the document is missing. */
export function compileReasonCodes(bundle: RuleBundle): ReasonCodes {
  const { codes } = bundle.values<{ readonly codes: readonly ReasonCode[] }>('rti/reason-codes');
  return {
    codes,
    faultOf(code, scope) {
      const known = codes.filter((one) => one.code === code);
      if (known.length === 0) return 'unknown_code';
      return known.some((one) => one.scope === scope) ? undefined : 'wrong_scope';
    },
  };
}
