// Everything that reads rules compiles them here before they are published: a word that a reader does not know is found
// at the gate and not by a child's next result.
import { readMeasurementRules } from '../../../measurement/index.ts';
import { readRetention } from '../../../operations/index.ts';
import { errorFinding, type Finding, type RuleBundle } from '../../../rulesets/index.ts';
import { readSkillStatusRules } from '../../../skill-status/index.ts';
import { readTeaserValues } from '../../../teaser/index.ts';

const readers: readonly ((bundle: RuleBundle) => void)[] = [
  readSkillStatusRules,
  readMeasurementRules,
  readTeaserValues,
  readRetention,
];

/** PIPELINE_OPEN with what each reader says that cannot read the bundle. */
export function readerFindings(bundle: RuleBundle): readonly Finding[] {
  return readers.flatMap((read) => {
    try {
      read(bundle);
      return [];
    } catch (error) {
      return [errorFinding('PIPELINE_OPEN', error instanceof Error ? error.message : String(error))];
    }
  });
}
