// The document of checks, as it is in force: what may be set of each check, beside what the catalogue fixes.
import type { AlertSeverity } from '../../kernel/alerts.ts';
import type { RuleBundle } from '../../rulesets/index.ts';
import { type CheckKind, catalogue, checkIds, type QaCheckId } from '../catalogue.ts';

const checksDocument = 'qa/checks';

export interface Check {
  readonly qaCheckId: QaCheckId;
  readonly titleEn: string;
  readonly severity: AlertSeverity;
  readonly kind: CheckKind;
  readonly subject: string;
  readonly probe: string;
  /** Seconds from which on it counts; null: at once, or from where another rule says. */
  readonly threshold: number | null;
  readonly enabled: boolean;
}

export interface Checks {
  /** `qa/checks@1`. */
  readonly ruleVersion: string;
  readonly items: readonly Check[];
}

/** Throws BundleError when the document is missing, RangeError where it does not hold each check of the catalogue once. */
export function readChecks(bundle: RuleBundle): Checks {
  const { checks } = bundle.values<{ readonly checks: readonly Check[] }>(checksDocument);
  const known = new Map(checks.map((check) => [check.qaCheckId, check]));
  for (const id of checkIds) requireFixed(id, known.get(id));
  if (checks.length !== checkIds.length) throw new RangeError(`${checksDocument} holds a check that is not known`);
  return { ruleVersion: `${checksDocument}@${bundle.versions[checksDocument]}`, items: checks };
}

function requireFixed(id: QaCheckId, check: Check | undefined): void {
  if (!check) throw new RangeError(`${checksDocument} does not hold ${id}`);
  const { kind, subject, probe } = catalogue[id];
  if (check.kind !== kind || check.subject !== subject || check.probe !== probe)
    throw new RangeError(`${checksDocument}: kind, subject and probe of ${id} are fixed`);
}
