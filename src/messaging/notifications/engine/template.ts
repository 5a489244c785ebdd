// The words of a template that stand for something of the payload, and the text with them filled.

/** What fills each variable, by the field of the payload that names it. */
const fieldOf = {
  firstNameAr: 'studentId',
  fullNameAr: 'studentId',
  subSkillNameAr: 'subSkillCode',
  measureNameAr: 'measureCode',
  dueOnAr: 'dueAt',
  expiresOnAr: 'expiresOn',
  reasonAr: 'suggestionCode',
  stageAr: 'stage',
  providerNameAr: 'provider',
} as const;
export type VariableName = keyof typeof fieldOf;

/** A signal of measurement has no stages: it is opened or closed. */
export const fieldFor = (kind: string, name: VariableName): string =>
  name === 'stageAr' && kind === 'cbm_alert_lifecycle' ? 'state' : fieldOf[name];

/** Those whose words stand in the document, one for each code of the field. */
export const codeVariables = ['reasonAr', 'stageAr'] as const;
export type CodeWords = Readonly<Partial<Record<(typeof codeVariables)[number], Readonly<Record<string, string>>>>>;

/** Never in a text for a family: nobody at home is to count days, and what is said there of a plan is said by the school. */
export const staffVariables: readonly VariableName[] = ['dueOnAr', 'expiresOnAr', 'fullNameAr', ...codeVariables];

export type Words = Readonly<Partial<Record<VariableName, string>>>;

const variable = /\{\{([A-Za-z]+)\}\}/g;

const isKnown = (name: string): name is VariableName => Object.hasOwn(fieldOf, name);

/** Those that the template names and that there are. */
export const variablesIn = (template: string): readonly VariableName[] => [
  ...new Set([...template.matchAll(variable)].map(([, name = '']) => name).filter(isKnown)),
];

/** A variable that nobody fills, or a brace that is of none: readers are shown no braces. */
export const isMalformed = (template: string): boolean =>
  /[{}]/.test(template.replace(variable, (found, name: string) => (isKnown(name) ? '' : found)));

/** Throws RangeError for a variable without a word. */
export const filled = (template: string, words: Words): string =>
  template.replace(variable, (_, name: VariableName) => {
    const word = words[name];
    if (word === undefined) throw new RangeError(`there is no word for ${name}`);
    return word;
  });

/** `date` is YYYY-MM-DD; day, month and year in the digits of the text around them. */
export const dateAr = (date: string): string =>
  date
    .split('-')
    .toReversed()
    .map((part) => String(Number(part)))
    .join('/')
    .replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)] ?? digit);
