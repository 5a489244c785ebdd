// Every name that a rule document uses needs a term: a name without one is reported while the document is written.
import {
  documentName,
  type Finding,
  isTable,
  type RuleBundle,
  type RuleDocument,
  type TableDocument,
  warningFinding,
} from '../../../rulesets/engine/index.ts';
import { type TermSection, termOf, termSections, termsDocument, termsOf } from './terms.ts';

type NamesBySection = Readonly<Record<TermSection, readonly string[]>>;

/** Returns the names that a document uses, each once, in their order. */
function ruleNamesIn(document: RuleDocument): NamesBySection {
  const { family } = document.meta;
  const constants = Object.entries(document.constants ?? {});
  const units = constants.flatMap(([, { unit }]) => unit ?? []);
  const table = isTable(document) ? tableNames(document) : undefined;
  return {
    facts: table?.facts ?? [],
    values: distinct(table?.values ?? []),
    units: distinct([...units, ...(table?.units ?? [])]),
    constants: constants.map(([id]) => id),
    layers: table ? [family.toUpperCase()] : [],
    families: [family],
  };
}

function tableNames({ facts, outcomes, rules }: TableDocument) {
  const specs = Object.values(facts);
  const params = rules.flatMap(({ event }) =>
    Object.entries(event.params).flatMap(([name, value]) => (name === 'messageKey' ? [] : [value].flat())),
  );
  return {
    facts: Object.keys(facts),
    values: [
      ...specs.flatMap((spec) => (spec.type === 'enum' ? spec.values : [])),
      ...outcomes.order,
      ...outcomes.unordered,
      ...params.filter((value) => typeof value === 'string'),
    ],
    units: specs.flatMap((spec) => ('unit' in spec ? (spec.unit ?? []) : [])),
  };
}

const distinct = (names: readonly string[]): readonly string[] => [...new Set(names)];

/** Returns a warning for each name of the document without a term; of the terms themselves, for each name around them. */
export function termFindings(document: RuleDocument, bundle: RuleBundle): readonly Finding[] {
  if (!termsOf(bundle).terms) return [];
  const documents = documentName(document) === termsDocument ? bundle.documents : [document];
  return termSections.flatMap((section) =>
    distinct(documents.flatMap((one) => ruleNamesIn(one)[section]))
      .filter((name) => !termOf(bundle, section, name))
      .map((name) => warningFinding('MESSAGE_MISSING', 'no_term', { name, section })),
  );
}
