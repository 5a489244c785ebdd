// Which rows a run appends. A row stands for something new, so that two rows "adequate" mean two measurements.
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import { unitCodes } from '../engine/vocabulary.ts';
import type { DomainContent, SkillContent } from './rows.ts';

/** What a new row is compared by. */
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

/** A sub-skill gets a row when it was measured again, or when what is said of it changed. */
export function newSkills(now: readonly SkillContent[], before: readonly SkillMark[]): SkillContent[] {
  const known = new Map(before.map((row) => [row.subSkillCode, row]));
  return now.filter((row) => {
    const last = known.get(row.subSkillCode);
    return last === undefined || skillMark(last) !== skillMark(row) || unitsOf(row) !== unitsOf(last);
  });
}

const skillMark = ({ newestUnitRef, outcome, status, confidence, decisionStrength, modifiers }: SkillMark): string =>
  canonicalJson([newestUnitRef, outcome, status, confidence, decisionStrength, modifiers]);

/**
 * In a session that goes on the reference names the same item as long as none comes later by its id; the units grow in
 * number.
 */
function unitsOf({ codeCounts }: SkillMark): number {
  let units = 0;
  for (const code of unitCodes) units += codeCounts[code] ?? 0;
  return units;
}

/**
 * A domain gets a row when one of its sub-skills got one, or when what is said of it changed: its status and path, the
 * sub-skills it is made of (another grade), and for comprehension the reason, which other domains give.
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
