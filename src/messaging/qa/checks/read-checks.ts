// The document of checks, as it is in force: what may be set of each check, beside what the catalogue fixes.
import type { AlertSeverity } from '#core/module/alerts.ts';
import { errorFinding, type Finding, type RuleBundle, type ValueCheck } from '#rules/rulesets/index.ts';
import { type Catalogue, catalogueOf, type FixedCheck, fixedOf } from '../catalogue.ts';

const checksDocument = 'qa/checks';

export interface Check extends FixedCheck {
  readonly qaCheckId: string;
  readonly titleEn: string;
  readonly severity: AlertSeverity;
  /** Seconds from which on it counts; null: at once, or from where another rule says. */
  readonly threshold: number | null;
  readonly enabled: boolean;
}

export interface Checks {
  /** `qa/checks@1`. */
  readonly ruleVersion: string;
  readonly items: readonly Check[];
}

/**
 * Throws BundleError when the document is missing. A release may bring a check that the document in force does not name yet:
 * until one does, it is off; and one may be named that the release before does not know.
 */
export function readChecks(bundle: RuleBundle, catalogue: Catalogue): Checks {
  const { checks } = bundle.values<{ readonly checks: readonly Check[] }>(checksDocument);
  return {
    ruleVersion: `${checksDocument}@${bundle.versions[checksDocument]}`,
    items: checks.flatMap((check) => {
      const known = catalogue.get(check.qaCheckId);
      return known ? [{ ...check, ...fixedOf(known) }] : [];
    }),
  };
}

/** A draft holds each check of the catalogue once, as it is fixed, and no other. */
export const checkFindings: ValueCheck = ({ document, cases }, capabilities) => {
  const { checks } = document as unknown as { readonly checks: readonly Check[] };
  const catalogue = catalogueOf(capabilities);
  const missing = [...catalogue.keys()].filter((id) => !checks.some(({ qaCheckId }) => qaCheckId === id));
  const wrong = checks.flatMap((check, at) => faultOf(check, checks.slice(0, at), catalogue));
  return [
    ...missing.map((id) => errorFinding('SCHEMA', `does not hold ${id}`)),
    ...wrong,
    ...cases.map(({ name }) => errorFinding('CASE_FAILED', `${name}: checks answer no cases`)),
  ];
};

function faultOf(check: Check, before: readonly Check[], catalogue: Catalogue): readonly Finding[] {
  const { qaCheckId: id, kind, subject, probe } = check;
  const known = catalogue.get(id);
  if (!known) return [errorFinding('SCHEMA', `holds ${id}, which is not known`)];
  if (before.some(({ qaCheckId }) => qaCheckId === id)) return [errorFinding('SCHEMA', `holds ${id} twice`)];
  const fixed = fixedOf(known);
  if (kind === fixed.kind && subject === fixed.subject && probe === fixed.probe) return [];
  return [errorFinding('SCHEMA', `kind, subject and probe of ${id} are fixed`)];
}
