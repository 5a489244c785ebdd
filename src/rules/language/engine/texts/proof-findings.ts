// The text proof as findings about one draft: texts that the draft makes unsafe are errors, texts that were unsafe
// before are warnings.
import {
  documentName,
  errorFinding,
  type Finding,
  type RuleBundle,
  type RuleDocument,
  warningFinding,
} from '../../../rulesets/engine/index.ts';
import { setNames } from '../rules.ts';
import { type UnsafeText, unsafeTexts } from './proof.ts';
import type { TextSource } from './served-text.ts';

export interface ProofQuestion {
  readonly draft: RuleDocument;
  /** The rules in force, and these rules with the draft and its companions. */
  readonly before: RuleBundle;
  readonly after: RuleBundle;
  readonly sources: readonly TextSource[];
}

/**
 * Returns the findings. A stricter set is never refused: texts that it catches fail closed and are reported as warnings
 * (contract 60 §3).
 */
export function proofFindings({ draft, before, after, sources }: ProofQuestion): readonly Finding[] {
  const unsafe = unsafeTexts(after, sources);
  if (unsafe.length === 0) return [];
  const isSet = setNames.some((name) => name === documentName(draft));
  const known = new Set(isSet ? [] : unsafeTexts(before, sources).map(nameOf));
  return unsafe.map((text) => findingOf(text, isSet || known.has(nameOf(text)) ? warningFinding : errorFinding));
}

const nameOf = ({ id, tier, template }: UnsafeText): string => `${id} ${tier} ${template}`;

const findingOf = ({ id: text, tier, ruleIds }: UnsafeText, finding: typeof errorFinding): Finding =>
  finding('LANGUAGE_UNSAFE', ruleIds.length === 0 ? 'no_set' : 'text', { text, tier }, ...ruleIds);
