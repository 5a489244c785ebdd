// When two rules say the same: the words people read (`messageKey`) aside, every parameter is something code acts on.
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import type { Rule } from '../document/document.ts';

/** Equal texts for rules that decide the same. */
export function decisionKey({ event }: Rule): string {
  const { messageKey: _text, ...acted } = event.params;
  return canonicalJson({ type: event.type, ...acted });
}
