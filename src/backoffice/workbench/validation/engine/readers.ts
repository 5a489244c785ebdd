// Every reader of rules compiles them here before they are published, so that a value that a reader does not know is found by the
// validation and not by the next result of a student.
import { errorFinding, type Finding, type RuleBundle } from '#rules/rulesets/engine/index.ts';
import type { RuleUse } from '../rule-use.ts';

/** Returns PIPELINE_OPEN with the message of each reader that cannot read the bundle. */
export function readerFindings(bundle: RuleBundle, readers: RuleUse['readers']): readonly Finding[] {
  return readers.flatMap((read) => {
    try {
      read(bundle);
      return [];
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      return [errorFinding('PIPELINE_OPEN', 'unreadable', { problem })];
    }
  });
}
