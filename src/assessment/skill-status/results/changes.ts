// Determines which rows a run appends. A row means a new result, so that two rows "adequate" are two measurements.
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import { unitCodes } from '../engine/vocabulary.ts';
import type { DomainContent, SkillContent } from './rows.ts';

/** The columns with which a new row is compared. */
export type SkillMark = Pick<
  SkillContent,
  | 'subSkillCode'
  | 'newestUnitRef'
  | 'codeCounts'
  | 'outcome'
  | 'status'
  | 'confidence'
  | 'decisionStrength'
  | 'modifiers'
>;
export type DomainMark = Pick<
  DomainContent,
  | 'domainCode'
  | 'outcome'
  | 'status'
  | 'severePath'
  | 'modifiers'
  | 'inScope'
  | 'decided'
  | 'compRuleId'
  | 'compPattern'
  | 'compRoutingHint'
  | 'compDecodingState'
  | 'compLanguageState'
  | 'compNextDataAction'
>;

/** Returns the sub-skills that were measured again or whose result changed. */
export function newSkills(now: readonly SkillContent[], before: readonly SkillMark[]): SkillContent[] {
  const known = new Map(before.map((row) => [row.subSkillCode, row]));
  return now.filter((row) => {
    const last = known.get(row.subSkillCode);
    return last === undefined || skillMark(last) !== skillMark(row) || unitsOf(row) !== unitsOf(last);
  });
}

const skillMark = ({ newestUnitRef, outcome, status, confidence, decisionStrength, modifiers }: SkillMark): string =>
  canonicalJson([newestUnitRef, outcome, status, confidence, decisionStrength, modifiers]);

/** Returns the number of units. In a running session the newest reference may stay the same, but the number grows. */
function unitsOf({ codeCounts }: SkillMark): number {
  let units = 0;
  for (const code of unitCodes) units += codeCounts[code] ?? 0;
  return units;
}

/**
 * Returns the domains with a new sub-skill row or a changed result: status and path, the set of sub-skills (another
 * grade), and for comprehension the reason, which depends on other domains.
 */
export function newDomains(
  now: readonly DomainContent[],
  before: readonly DomainMark[],
  touched: ReadonlySet<string>,
): DomainContent[] {
  const known = new Map(before.map((row) => [row.domainCode, row]));
  return now.filter((row) => {
    const last = known.get(row.domainCode);
    return last === undefined || touched.has(row.domainCode) || domainMark(last) !== domainMark(row);
  });
}

const domainMark = (row: DomainMark): string =>
  canonicalJson([
    [row.outcome, row.status, row.severePath, row.modifiers],
    [row.inScope, row.decided],
    [row.compRuleId, row.compPattern, row.compRoutingHint],
    [row.compDecodingState, row.compLanguageState, row.compNextDataAction],
  ]);
