// The one place where a sentence for a family comes to be: the sentence passes the strictest filter with nobody's name in it, and
// then the child's name is filled in, which is data. A sentence that may not be said at all stops the answer.
import { checkText, firstNameAr, namelessWords, type Tier } from '#rules/language/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';

export const familyTier: Tier = 'parent_stricter';

/** A sentence of the service's own that its rules refuse: no family is to be told why. */
export class UnsafeSentence extends Error {
  override readonly name = 'UnsafeSentence';
  /** `growth-trend/tile/label.Meets` */
  readonly textId: string;

  constructor(textId: string) {
    super(`${textId} may not be said to families`);
    this.textId = textId;
  }
}

export interface Voice {
  readonly firstNameAr: string;
  /** `{{firstNameAr}}` may stand in the template. Throws UnsafeSentence. */
  say(textId: string, template: string): string;
}

const nameVariable = '{{firstNameAr}}';

/** Throws ENGINE_UNAVAILABLE without language rules for families. */
export function voiceOf(rules: RuleBundle): (fullNameAr: string) => Voice {
  checkText(rules, '', familyTier);
  // Judged with nobody's name, a sentence is the same for every child.
  const judged = new Map<string, boolean>();
  const isSafe = (template: string): boolean => {
    const nameless = template.replaceAll(nameVariable, namelessWords.family);
    const safe = judged.get(template) ?? checkText(rules, nameless, familyTier).safe;
    judged.set(template, safe);
    return safe;
  };
  return (fullNameAr) => {
    const name = firstNameAr(fullNameAr, 'family');
    return {
      firstNameAr: name,
      say(textId, template) {
        if (!isSafe(template)) throw new UnsafeSentence(textId);
        return template.replaceAll(nameVariable, () => name);
      },
    };
  };
}
