// The cases that a new version has to pass: its own, and those of the version before unless a change of one is accepted.
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import type { AnyCase } from '#rules/rulesets/engine/index.ts';

/**
 * A case of the base stays in force until the new version lists one of the same name with the reason of the change.
 * Leaving it out of the list does not remove it.
 */
export function effectiveCases(own: readonly AnyCase[], inherited: readonly AnyCase[]): readonly AnyCase[] {
  const accepted = new Set(own.filter(({ acceptedChange }) => acceptedChange !== undefined).map(({ name }) => name));
  const listed = new Set(own.map(question));
  const kept = inherited.filter((one) => !accepted.has(one.name) && !listed.has(question(one)));
  return [...kept.map(withoutReason), ...own];
}

const question = (one: AnyCase): string => canonicalJson(withoutReason(one));

/** The reason belongs to the version that made the change; for later versions the case is like all others. */
export function withoutReason({ acceptedChange: _reason, ...golden }: AnyCase): AnyCase {
  return golden as AnyCase;
}
