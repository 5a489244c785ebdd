// Everything that reads rules compiles them here before they are published: a word that a reader does not know is found
// at validation and not by a child's next result.
import { errorFinding, type Finding, type RuleBundle } from '#rules/rulesets/engine/index.ts';
import type { RuleUse } from '../rule-use.ts';

/** PIPELINE_OPEN with what each reader says that cannot read the bundle. */
export function readerFindings(bundle: RuleBundle, readers: RuleUse['readers']): readonly Finding[] {
  return readers.flatMap((read) => {
    try {
      read(bundle);
      return [];
    } catch (error) {
      return [errorFinding('PIPELINE_OPEN', error instanceof Error ? error.message : String(error))];
    }
  });
}
