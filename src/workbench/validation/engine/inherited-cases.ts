// Which cases a new version answers to: its own, and those of the version before unless a change of one is accepted.
import { canonicalJson } from '../../../platform/pure/canonical-json.ts';
import type { GoldenCase } from '../../../rulesets/index.ts';

/**
 * A case of the base stays in force until the new version lists one of the same name with the reason of the change.
 * Leaving it out of the list does not take it away.
 */
export function effectiveCases(own: readonly GoldenCase[], inherited: readonly GoldenCase[]): readonly GoldenCase[] {
  const accepted = new Set(own.filter(({ acceptedChange }) => acceptedChange !== undefined).map(({ name }) => name));
  const listed = new Set(own.map(question));
  const kept = inherited.filter((one) => !accepted.has(one.name) && !listed.has(question(one)));
  return [...kept.map(withoutReason), ...own];
}

const question = ({ name, facts, expected }: GoldenCase): string => canonicalJson({ name, facts, expected });

/** The reason belongs to the version that made the change; for its successors the case is one like all others. */
export function withoutReason({ acceptedChange: _reason, ...golden }: GoldenCase): GoldenCase {
  return golden;
}
