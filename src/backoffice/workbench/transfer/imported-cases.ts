// The cases of an imported version on top of those of the version before it here. In the other service a case may have changed in a
// version that this service never had: the file then holds the new case, and not the reason, which that version has kept.
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import type { AnyCase, ImportOrigin } from '#rules/rulesets/index.ts';
import { withoutReason } from '../validation/engine/inherited-cases.ts';

/** Returns the cases of the file; those that replace one of the same name here say so, for the people who review them. */
export function importedCases(
  cases: readonly AnyCase[],
  before: readonly AnyCase[],
  { service, version }: Pick<ImportOrigin, 'service' | 'version'>,
): AnyCase[] {
  const here = new Map(before.map((one) => [one.name, textOf(one)]));
  const acceptedChange = `Changed in version ${version} of ${service ?? 'another service'}, or before it.`;
  return cases.map((one) => {
    const old = here.get(one.name);
    const isChanged = old !== undefined && old !== textOf(one) && one.acceptedChange === undefined;
    return isChanged ? ({ ...one, acceptedChange } as AnyCase) : one;
  });
}

const textOf = (one: AnyCase): string => canonicalJson(withoutReason(one));
