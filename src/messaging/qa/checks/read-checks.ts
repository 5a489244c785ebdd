// Reads the document of checks in force: the settings of each check, beside the fields that the catalogue fixes.
import type { AlertSeverity } from '#core/module/alerts.ts';
import { errorFinding, type Finding, type RuleBundle, type ValueCheck } from '#rules/rulesets/index.ts';
import { catalogueOf, type FixedCheck, fixedOf, type ProbeCatalogue } from '../catalogue.ts';

const checksDocument = 'qa/checks';

export interface QaCheck extends FixedCheck {
  readonly qaCheckId: string;
  readonly titleEn: string;
  readonly severity: AlertSeverity;
  /** Seconds from which a finding counts; null: at once, or by another rule. */
  readonly threshold: number | null;
  readonly enabled: boolean;
}

export interface Checks {
  /** `qa/checks@1`. */
  readonly ruleVersion: string;
  readonly items: readonly QaCheck[];
}

/**
 * Throws BundleError when the document is missing. A check of a new release that the document does not name is off; a name
 * that this release does not know is ignored.
 */
export function readChecks(bundle: RuleBundle, catalogue: ProbeCatalogue): Checks {
  const { checks } = bundle.values<{ readonly checks: readonly QaCheck[] }>(checksDocument);
  return {
    ruleVersion: `${checksDocument}@${bundle.versions[checksDocument]}`,
    items: checks.flatMap((check) => {
      const known = catalogue.get(check.qaCheckId);
      return known ? [{ ...check, ...fixedOf(known) }] : [];
    }),
  };
}

/** A draft names each check of the catalogue exactly once, with its fixed fields. */
export const checkFindings: ValueCheck = ({ document, cases }, capabilities) => {
  const { checks } = document as unknown as { readonly checks: readonly QaCheck[] };
  const catalogue = catalogueOf(capabilities);
  const missing = [...catalogue.keys()].filter((id) => !checks.some(({ qaCheckId }) => qaCheckId === id));
  const wrong = checks.flatMap((check, at) => faultOf(check, checks.slice(0, at), catalogue));
  return [
    ...missing.map((id) => errorFinding('SCHEMA', 'check_missing', { check: id })),
    ...wrong,
    ...cases.map(({ name }) => errorFinding('CASE_FAILED', 'checks_have_none', { case: name })),
  ];
};

function faultOf(check: QaCheck, before: readonly QaCheck[], catalogue: ProbeCatalogue): readonly Finding[] {
  const { qaCheckId: id, kind, subject, probe } = check;
  const known = catalogue.get(id);
  if (!known) return [errorFinding('SCHEMA', 'check_unknown', { check: id })];
  if (before.some(({ qaCheckId }) => qaCheckId === id)) return [errorFinding('SCHEMA', 'check_twice', { check: id })];
  const fixed = fixedOf(known);
  if (kind === fixed.kind && subject === fixed.subject && probe === fixed.probe) return [];
  return [errorFinding('SCHEMA', 'check_fixed', { check: id })];
}
