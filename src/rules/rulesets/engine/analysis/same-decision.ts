// Equality of rule decisions: code acts on every parameter except the display text (`messageKey`).
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import type { Rule } from '../document/document.ts';

/** Returns a key that is equal for rules with the same decision. */
export function decisionKey({ event }: Rule): string {
  const { messageKey: _text, ...acted } = event.params;
  return canonicalJson({ type: event.type, ...acted });
}
