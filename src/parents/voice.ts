// The one place where a sentence for a family comes to be: the child's name is filled in, and the whole sentence passes the
// strictest filter. A name that spoils a sentence is left out of it; a sentence that may not be said at all stops the answer.
import { checkText, filterOf, safeFirstName, type Tier } from '../language/index.ts';
import type { RuleBundle } from '../rulesets/index.ts';

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
  const isSafe = (text: string) => filterOf(rules).check(text, familyTier)?.safe === true;
  const nameless = safeFirstName('', 'family', isSafe);
  return (fullNameAr) => {
    const firstNameAr = safeFirstName(fullNameAr, 'family', isSafe);
    return {
      firstNameAr,
      say(textId, template) {
        const said = [firstNameAr, nameless].map((name) => template.replaceAll(nameVariable, () => name)).find(isSafe);
        if (said === undefined) throw new UnsafeSentence(textId);
        return said;
      },
    };
  };
}
