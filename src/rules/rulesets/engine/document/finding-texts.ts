// The words of all findings: a finding names a code and an issue of it, and its message is the text here with the
// values of its arguments. Pages word the same code, issue and arguments in both languages.

/**
 * `{name}` is a text, `{name#}` a number, `{name?}` a value as the document holds it, `{name!}` such a value as JSON,
 * `{name*}` a list of texts and `{name"}` a list of texts in quotes.
 */
export const findingTexts = {
  SCHEMA: {
    not_json: 'not JSON: {problem}',
    not_finite: '{path} is not a finite number',
    shape: '{path} {problem}',
    no_schema: '{document} has no schema of its own: its sections are not checked',
    no_rules: 'the document has no rules',
    other_kind: 'a decision table cannot take the place of values, nor values that of a table',
    constant_no_day: '/constants/{constant}/value is no month and day',
    constant_no_number: '/constants/{constant}/value is no number',
    constant_not_whole: '/constants/{constant}/value is no whole number',
    constant_out_of_range: '/constants/{constant}/value must lie between {min#} and {max#}',
    condition_no_object: '{path}: must be an object',
    condition_no_branch: '{path}: must be all, any or not',
    unknown_property: '{path}: unknown property {properties*}',
    condition_no_list: '{path}: must be a list',
    empty_any: '{path}: is empty, which the library takes for true',
    empty_list: '{path}: is empty',
    too_many_values: '{path}: {operator} lists more than {limit#} values',
    value_twice: '{path}: {operator} lists a value twice',
    too_many_comparisons: 'it makes more than {limit#} comparisons',
    default_elsewhere: 'an empty all belongs to the last rule of a first-hit table only',
    name_twice: 'the name {name} is used twice',
    outcome_twice: 'outcome {outcome} is listed twice',
    id_twice: 'the id is used twice',
    replacement_misplaced: 'replacementAr belongs to rewrite, and only to it',
    phrase_wordless: 'the phrase "{phrase}" holds no word',
    pattern_invalid: 'the pattern {problem}',
    flag_twice: 'the flag {flag} is listed twice',
    flag_not_blocked: '{flag} has to stay blocked',
    flag_blocked: '{flag} is blocked: it cannot be a flag',
    check_missing: 'does not hold {check}',
    check_unknown: 'holds {check}, which is not known',
    check_twice: 'holds {check} twice',
    check_fixed: 'kind, subject and probe of {check} are fixed',
    not_rising: '/{path} has to rise from one to the next',
    badge_twice: 'the badge {badge} stands there twice',
    kind_misnamed: 'the kind of {key} is called {kind}',
    field_undescribed: 'payloadSchema requires {field}, which it does not describe',
    template_malformed: '{part} holds an unknown variable, or one that is not closed',
    variable_unfilled: '{part} names {variable}, but the payload need not hold {field}',
    variable_wordless: '{part} names {variable}, for which words has nothing',
    variable_of_staff: '{part} names {variable}: notices for families name no days, full names, reasons or stages',
    words_without_codes: 'words.{variable}: the payload holds no {field} with closed codes',
    word_missing: 'words.{variable} has no word for {word}',
    word_foreign: 'words.{variable} has a word for {word}, which is no {field}',
    word_braced: 'words.{variable}.{word} holds a brace: a word holds no variables',
  },
  DUPLICATE_KEY: { key_twice: 'the key {key} occurs twice' },
  PRIORITY: {
    on_condition: '{path}: a condition has no priority',
    on_leaf: '{path}: a leaf has no priority',
    not_positive: 'priority {priority#} is not a positive integer',
    not_below: 'priority {priority#} is not below that of the row above',
  },
  OPERATOR: {
    unknown: '{path}: unknown operator {operator}',
    other_type: '{path}: {operator} does not fit a fact of type {type}',
    takes_list: '{path}: {operator} takes a list',
    takes_one: '{path}: {operator} takes one value',
    empty_list: '{path}: {operator} has an empty list',
  },
  FACT: {
    shape: '{path} {problem}',
    constant_too_fine:
      '/constants/{constant}/value has more than 4 decimals, and facts are compared after they are rounded to 4',
    value_too_fine: '{path}: {value!} has more than 4 decimals, and facts are compared after they are rounded to 4',
    no_domain: 'fact {fact}: min and max span no domain',
    path_not_allowed: '{path}: path is not allowed: facts are plain values',
    undeclared: '{path}: fact {fact} is not declared',
    no_literal: '{path}: the value must be a literal, not another fact',
    out_of_domain: '{path}: {value!} is not in the domain of the fact',
  },
  GAP: { no_rule: 'no rule for {percent#} % of the space, above all {conditions}' },
  UNREACHABLE: {
    never_together: 'its conditions never hold together',
    taken_above: '{rules*} above take everything it holds on',
  },
  VOCABULARY_FOREIGN: { foreign_outcome: 'outcome {outcome} is not in the vocabulary' },
  VOCABULARY_UNREACHED: { unreached_outcome: 'no rule reaches {outcome}' },
  NOT_MONOTONE: { better_leads_down: 'a better {fact} alone leads from {from} to {to}' },
  PIPELINE_OPEN: {
    no_fact: '{document} has no fact {fact}',
    word_not_taken: '{fact} of {document} does not take {word}',
    unreadable_output: '{document} says {param} {value?}, which {reader} cannot read',
    output_not_taken: '{document} says {param} {value?}, which {fact} of {reader} does not take',
    impossible_together: '{document} holds {combination} to be impossible',
    unreadable: '{problem}',
  },
  CASE_FAILED: {
    one_differs: '1 case expected {expected}, the table says {answer}: {cases"}',
    some_differ: '{count#} cases expected {expected}, the table says {answer}: {cases"}',
    many_differ: '{count#} cases expected {expected}, the table says {answer}: {cases"}, {more#} more',
    no_facts: '{case}: asks no facts of the table',
    values_have_none: '{case}: these values answer no cases',
    checks_have_none: '{case}: checks answer no cases',
    dictionary_has_none: '{case}: a dictionary answers no cases',
    members: '{case}: has to hold {members}, no more',
    foreign_tier: '{case}: {tier} is no tier of this set',
    should_pass: '{case}: expected to pass, it is caught, rewritten {rewritten!}',
    should_be_caught: '{case}: expected to be caught, it passes',
    rewritten_otherwise: '{case}: expected to be caught, it is caught, rewritten {rewritten!}',
    never_rewritten: '{case}: expected to pass, it passes',
    payload_unfit: '{case}: the payload does not fit',
    variable_wordless: '{case}: holds no word for {variable}',
    answered_otherwise: '{case}: expected {expected}, got {answer}',
    table_has_none: 'no cases; run: npm run rules -- boundary-cases {document}',
  },
  MUTATION_SCORE_LOW: { too_few_noticed: 'the cases notice {percent#} % of small mistakes, not {examples}' },
  ORACLE_MISMATCH: { engines_differ: '{facts}: compiled {compiled}, stock engine {stock}' },
  REDUNDANT_CONDITION: {
    decides_nothing: '{path} ({condition}) decides nothing: without it all stays as it is',
  },
  REDUNDANT_RULE: { same_below: 'the rules below say the same wherever it decides' },
  OVERLAP: {
    only_by_place: 'only its place puts it before others that ask about the same facts and would say otherwise',
  },
  MAGIC_NUMBER: {
    unnamed: '{fact} {operator} {value?} names no constant',
    new_number: '{fact} {operator} {value?} is new here: give the number a constant and name it in valueRef',
    unknown_constant: '{path}: valueRef {constant} names no constant of the document',
    other_value: '{path}: the literal {literal?} is not {constant} ({value?})',
  },
  MESSAGE_MISSING: {
    no_text: 'no text for {key}',
    no_language: '{key} has no text in {language}',
    no_term: '{name} has no term among the {section}',
  },
  LANGUAGE_UNSAFE: {
    replacement: 'its replacement does not pass {tier}',
    no_set: '{text}: there is no set in force for {tier}',
    text: '{text} does not pass {tier}',
  },
  CONSTANT_SPLIT: {
    other_value: '{constant} is {value?} here and another value in {documents*}: give it one value everywhere',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

type Texts = typeof findingTexts;
export type FindingCode = keyof Texts;
export type IssueOf<Code extends FindingCode> = keyof Texts[Code] & string;

export type ArgValue = string | number | boolean | null | readonly string[];

/** The kind of an argument by the mark after its name. */
interface Marked {
  '': string;
  '#': number;
  '?': string | number | boolean | null;
  '!': string | number | boolean | null;
  '*': readonly string[];
  '"': readonly string[];
}

type Placeholder<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholder<Rest> : never;
type NameOf<Place> = Place extends `${infer Name}${'#' | '?' | '!' | '*' | '"'}` ? Name : Place;
type MarkOf<Place> = Place extends `${string}${infer Mark extends '#' | '?' | '!' | '*' | '"'}` ? Mark : '';
type ArgsIn<Text> = {
  readonly [Place in Placeholder<Text> as NameOf<Place> & string]: Marked[MarkOf<Place>];
};

/** The arguments that an issue takes. */
export type ArgsOf<Code extends FindingCode, Issue extends IssueOf<Code>> = ArgsIn<Texts[Code][Issue]>;

export type FindingArgs = Readonly<Record<string, ArgValue>> & { readonly issue: string };

const placeholder = /\{([a-z]+)([#?!*"]?)\}/g;

/** Returns the name and the mark of each argument of a text, in its order. */
export const argumentsIn = (text: string): readonly { readonly name: string; readonly mark: keyof Marked }[] =>
  [...text.matchAll(placeholder)].map(([, name = '', mark = '']) => ({ name, mark: mark as keyof Marked }));

export const textOfFinding = (text: string, args: Readonly<Record<string, ArgValue>>): string =>
  text.replace(placeholder, (_, name: string, mark: keyof Marked) => shown(args[name] ?? null, mark));

function shown(value: ArgValue, mark: keyof Marked): string {
  if (Array.isArray(value)) return value.map((one) => (mark === '"' ? `"${one}"` : one)).join(', ');
  return mark === '!' ? JSON.stringify(value) : String(value);
}
