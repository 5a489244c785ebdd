// Every check that the service ships, as capabilities list them: of which kind it is and what a finding is about. The rule document
// `qa/checks` says how grave each is, when it begins to count and whether it is on.
import { byName, type Capability } from '#core/module/capability.ts';
import type { CheckKind, Probe } from './probes/probe.ts';

export type Catalogue = ReadonlyMap<string, Probe>;

/** By the ids of checks. Throws RangeError for one that two capabilities bring. */
export const catalogueOf = (capabilities: readonly Capability[]): Catalogue =>
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

/** What no document may set. */
export const fixedOf = ({ check, kind, subject }: Probe): FixedCheck => ({
  kind,
  subject,
  probe: check.toLowerCase(),
});
