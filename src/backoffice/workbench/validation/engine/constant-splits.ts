// A constant is one number, however many documents quote it.
import {
  type DocumentName,
  documentName,
  errorFinding,
  type Finding,
  type RuleDocument,
} from '#rules/rulesets/engine/index.ts';

/** Returns CONSTANT_SPLIT for each constant of the texts that another text, or a document around them, holds with another value. */
export function splitConstants(
  texts: readonly RuleDocument[],
  around: readonly RuleDocument[],
): Map<DocumentName, Finding[]> {
  const all = [...texts, ...around];
  const found = texts.map((text): [DocumentName, Finding[]] => [documentName(text), splitsOf(text, all)]);
  return new Map(found.filter(([, findings]) => findings.length > 0));
}

function splitsOf(text: RuleDocument, all: readonly RuleDocument[]): Finding[] {
  return Object.entries(text.constants ?? {}).flatMap(([id, { value }]) => {
    const apart = all.filter((one) => (one.constants?.[id]?.value ?? value) !== value).map(documentName);
    if (apart.length === 0) return [];
    return [errorFinding('CONSTANT_SPLIT', 'other_value', { constant: id, value, documents: apart })];
  });
}
