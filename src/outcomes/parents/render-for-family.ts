// Renders every sentence for families: the template is checked by the strictest filter without a name, and then the
// child's name, which is data, is filled in. A refused sentence stops the response.
import { checkText, firstNameAr, namelessWords, type Tier } from '#rules/language/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';

export const familyTier: Tier = 'parent_stricter';

/** Thrown for a sentence that the language rules refuse. Families are not given the reason. */
export class UnsafeSentence extends Error {
  override readonly name = 'UnsafeSentence';
  /** `growth-trend/tile/label.Meets` */
  readonly textId: string;

  constructor(textId: string) {
    super(`${textId} does not pass the language rules for families`);
    this.textId = textId;
  }
}

export interface FamilyRenderer {
  readonly firstNameAr: string;
  /** The template may contain `{{firstNameAr}}`. Throws UnsafeSentence. */
  render(textId: string, template: string): string;
}

const nameVariable = '{{firstNameAr}}';

/** Returns a renderer for each child's name. Throws ENGINE_UNAVAILABLE without language rules for families. */
export function renderForFamily(rules: RuleBundle): (fullNameAr: string) => FamilyRenderer {
  checkText(rules, '', familyTier);
  // Checked without a name, a sentence has the same result for all children.
  const checked = new Map<string, boolean>();
  const isSafe = (template: string): boolean => {
    const nameless = template.replaceAll(nameVariable, namelessWords.family);
    const safe = checked.get(template) ?? checkText(rules, nameless, familyTier).safe;
    checked.set(template, safe);
    return safe;
  };
  return (fullNameAr) => {
    const name = firstNameAr(fullNameAr, 'family');
    return {
      firstNameAr: name,
      render(textId, template) {
        if (!isSafe(template)) throw new UnsafeSentence(textId);
        return template.replaceAll(nameVariable, () => name);
      },
    };
  };
}
