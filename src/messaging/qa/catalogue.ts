// All checks that capabilities list, with kind and subject. The rule document `qa/checks` sets severity, threshold and whether
// a check is on.
import { byName, type Capability } from '#core/module/capability.ts';
import type { CheckKind, Probe } from './probes/probe.ts';

export type ProbeCatalogue = ReadonlyMap<string, Probe>;

/** By id of the check. Throws RangeError for an id that two capabilities list. */
export const catalogueOf = (capabilities: readonly Capability[]): ProbeCatalogue =>
  byName(
    'checks',
    capabilities.flatMap(({ probes = [] }) => probes),
    ({ check }) => check,
  );

export interface FixedCheck {
  readonly kind: CheckKind;
  readonly subject: string;
  readonly probe: string;
}

/** The fields that no document may change. */
export const fixedOf = ({ check, kind, subject }: Probe): FixedCheck => ({
  kind,
  subject,
  probe: check.toLowerCase(),
});
