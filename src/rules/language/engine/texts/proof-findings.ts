// The text proof as findings about proposed texts: what they make unsafe are errors, texts that were unsafe
// before are warnings.
import {
  documentName,
  errorFinding,
  type Finding,
  overlaid,
  type RuleBundle,
  type RuleDocument,
  warningFinding,
} from '../../../rulesets/engine/index.ts';
import { setNames } from '../rules.ts';
import { type UnsafeText, unsafeTexts } from './proof.ts';
import type { TextSource } from './served-text.ts';

export interface ProofQuestion {
  /** The texts that are proposed. */
  readonly drafts: readonly RuleDocument[];
  /** The rules in force, and these rules with the proposed texts. */
  readonly before: RuleBundle;
  readonly after: RuleBundle;
  readonly sources: readonly TextSource[];
}

/**
 * Returns the findings. A stricter set is never refused: texts that it catches fail closed and are reported as warnings
 * (contract 60 §3). Beside a set, other proposed texts are proven by that set.
 */
export function proofFindings({ drafts, before, after, sources }: ProofQuestion): readonly Finding[] {
  const unsafe = unsafeTexts(after, sources);
  if (unsafe.length === 0) return [];
  const sets = drafts.filter((draft) => setNames.some((name) => name === documentName(draft)));
  const known = new Set(unsafeTexts(sets.length === 0 ? before : overlaid(before, sets), sources).map(nameOf));
  return unsafe.map((text) => findingOf(text, known.has(nameOf(text)) ? warningFinding : errorFinding));
}

const nameOf = ({ id, tier, template }: UnsafeText): string => `${id} ${tier} ${template}`;

const findingOf = ({ id: text, tier, ruleIds }: UnsafeText, finding: typeof errorFinding): Finding =>
  finding('LANGUAGE_UNSAFE', ruleIds.length === 0 ? 'no_set' : 'text', { text, tier }, ...ruleIds);
