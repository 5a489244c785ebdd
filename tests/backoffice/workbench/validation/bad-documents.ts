// Documents that no validation may let through, each the one in force with one mistake, and what has to be stated of it.
import type { Json } from '../backoffice.ts';

export interface Golden extends Json {
  readonly name: string;
  readonly facts: Json;
  readonly expected: unknown;
}

export interface Finding extends Json {
  readonly level: string;
  readonly code: string;
  readonly ruleIds: readonly string[];
  readonly message: string;
  readonly boxes?: readonly { readonly sample: Json; readonly share: number }[];
  readonly proposedRow?: Json;
  readonly proposedCases?: readonly Golden[];
}

export interface BadDocument {
  readonly what: string;
  /** `family/key` */
  readonly name: string;
  readonly change: (document: Json) => Json;
  /** Of the draft, made of those of the version in force. Default: none, which keeps those. */
  readonly cases?: (cases: readonly Golden[]) => readonly Golden[];
  readonly code: string;
  /** Rules that the finding names, in its order. */
  readonly rules?: readonly string[];
  /** Where no rule can be named, the words that say the place. */
  readonly answer?: RegExp;
}

type Change = (rule: Json) => Json;

const rulesOf = (document: Json): Json[] => document.rules as Json[];

/** The document with one rule changed. */
const inRule =
  (name: string, change: Change) =>
  (document: Json): Json => ({
    ...document,
    rules: rulesOf(document).map((rule) => (rule.name === name ? change(rule) : rule)),
  });

const priority =
  (value: unknown): Change =>
  (rule) => ({ ...rule, priority: value });
const conditions =
  (value: Json): Change =>
  (rule) => ({ ...rule, conditions: value });
const only = (leaf: Json): Change => conditions({ all: [leaf] });
const outcome =
  (word: string): Change =>
  (rule) => {
    const event = rule.event as Json;
    return { ...rule, event: { ...event, params: { ...(event.params as Json), outcome: word } } };
  };

/** The lower rule is asked first; each keeps its name, and the place its priority. */
const exchanged = (upper: string, lower: string) => (document: Json) => {
  const [first, second] = [upper, lower].map((name) => rulesOf(document).find((rule) => rule.name === name));
  const of = (rule: Json) => (rule.name === upper ? second : rule.name === lower ? first : rule);
  return { ...document, rules: rulesOf(document).map((rule) => ({ ...of(rule), priority: rule.priority })) };
};

const without =
  (section: string) =>
  ({ [section]: _gone, ...rest }: Json): Json =>
    rest;

const withoutRule = (name: string) => (document: Json) => ({
  ...document,
  rules: rulesOf(document).filter((rule) => rule.name !== name),
});

/** The word is another one throughout the table, which stays sound by itself. */
const renamedOutcome = (from: string, to: string) => (document: Json) =>
  JSON.parse(JSON.stringify(document).replaceAll(`"${from}"`, `"${to}"`)) as Json;

const broad = { fact: 'coreWeakDomains', operator: 'greaterThanInclusive' };
const ssr = 'ssr/ssr';

export const badDocuments: readonly BadDocument[] = [
  { what: 'a gap', name: ssr, change: withoutRule('SSR-12'), code: 'GAP', answer: /no rule for/ },
  {
    what: 'a rule in the shadow of another',
    name: ssr,
    change: exchanged('SSR-04', 'SSR-05'),
    code: 'UNREACHABLE',
    rules: ['SSR-04', 'SSR-05'],
  },
  {
    what: 'a better fact with a worse outcome',
    name: 'bnd/bnd',
    change: inRule('BND-03', outcome('severe')),
    code: 'NOT_MONOTONE',
    rules: ['BND-04', 'BND-03'],
    answer: /okSideWins alone leads from marked to severe/,
  },
  {
    what: 'an outcome outside the vocabulary',
    name: ssr,
    change: inRule('SSR-11', outcome('weak_elsewhere')),
    code: 'VOCABULARY_FOREIGN',
    rules: ['SSR-11'],
  },
  {
    what: 'an unknown operator',
    name: ssr,
    change: inRule('SSR-09', only({ ...broad, operator: 'atLeast', value: 3 })),
    code: 'OPERATOR',
    rules: ['SSR-09'],
  },
  {
    what: 'equal priorities',
    name: ssr,
    change: inRule('SSR-05', priority(960)),
    code: 'PRIORITY',
    rules: ['SSR-04', 'SSR-05'],
  },
  {
    what: 'a priority that is no whole number',
    name: ssr,
    change: inRule('SSR-05', priority(950.5)),
    code: 'PRIORITY',
    rules: ['SSR-05'],
  },
  {
    what: 'a priority that is no number',
    name: ssr,
    change: inRule('SSR-05', priority('950')),
    code: 'SCHEMA',
    answer: /^\/rules\/4\/priority must be number/,
  },
  {
    what: 'a changed number without a name',
    name: ssr,
    change: inRule('SSR-09', only({ ...broad, value: 2 })),
    code: 'MAGIC_NUMBER',
    rules: ['SSR-09'],
  },
  {
    what: 'a literal that is not its constant',
    name: ssr,
    change: inRule('SSR-09', only({ ...broad, value: 2, valueRef: 'DTH-BRD-01' })),
    code: 'MAGIC_NUMBER',
    rules: ['SSR-09'],
    answer: /2 is not DTH-BRD-01 \(3\)/,
  },
  {
    what: 'an empty any',
    name: ssr,
    change: inRule('SSR-10', conditions({ any: [] })),
    code: 'SCHEMA',
    rules: ['SSR-10'],
  },
  {
    what: 'an unknown property of a condition',
    name: ssr,
    change: inRule('SSR-09', only({ ...broad, value: 3, weight: 2 })),
    code: 'SCHEMA',
    rules: ['SSR-09'],
  },
  {
    what: 'an unknown property of a rule',
    name: ssr,
    change: inRule('SSR-02', (rule) => ({ ...rule, enabled: false })),
    code: 'SCHEMA',
    answer: /^\/rules\/1 .*\(enabled\)/,
  },
  {
    what: 'a number outside the domain of its fact',
    name: ssr,
    change: inRule('SSR-09', only({ ...broad, value: 101 })),
    code: 'FACT',
    rules: ['SSR-09'],
  },
  {
    what: 'a fact that no one declared',
    name: ssr,
    change: inRule('SSR-11', only({ fact: 'shoeSize', operator: 'equal', value: 30 })),
    code: 'FACT',
    rules: ['SSR-11'],
  },
  {
    what: 'a case of the version before that fails',
    name: ssr,
    change: inRule('SSR-10', outcome('weak_isolated')),
    code: 'CASE_FAILED',
    rules: ['SSR-10'],
  },
  {
    what: 'cases that notice too little',
    name: ssr,
    change: (document) => document,
    cases: (cases) => cases.map(({ name }) => ({ ...cases[0], name, acceptedChange: 'no one looks' }) as Golden),
    code: 'MUTATION_SCORE_LOW',
  },
  {
    what: 'a word that the next layer cannot read',
    name: ssr,
    change: renamedOutcome('weak_gateway', 'weak_key_skill'),
    code: 'PIPELINE_OPEN',
    rules: ['SSR-08'],
  },
  {
    what: 'measurement without its teaser',
    name: 'scoring/measurement',
    change: without('teaser'),
    code: 'SCHEMA',
    answer: /required property 'teaser'/,
  },
  {
    what: 'measurement without a number that only the teaser reads',
    name: 'scoring/measurement',
    change: (document) => {
      const { 'TSR-ITM-01': _taken, ...constants } = document.constants as Json;
      return { ...document, constants };
    },
    code: 'PIPELINE_OPEN',
    answer: /TSR-ITM-01/,
  },
  {
    what: 'a catalogue without tiles',
    name: 'catalogue/subskills',
    change: without('tiles'),
    code: 'SCHEMA',
    answer: /required property 'tiles'/,
  },
  {
    what: 'a benchmark without a season',
    name: 'benchmark/orf-wcpm-global-g2-boy',
    change: without('season'),
    code: 'SCHEMA',
    answer: /required property 'season'/,
  },
];
