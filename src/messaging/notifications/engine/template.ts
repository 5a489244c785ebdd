// Variables of a template, and the text with their values filled in.

/** The field of the payload that each variable is filled from. */
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
export type NoticeVariable = keyof typeof fieldOf;

/** A signal of measurement has no stages: it is opened or closed. */
export const fieldFor = (kind: string, name: NoticeVariable): string =>
  name === 'stageAr' && kind === 'cbm_alert_lifecycle' ? 'state' : fieldOf[name];

/** Variables whose words are in the document, one for each code of the field. */
export const codeVariables = ['reasonAr', 'stageAr'] as const;
export type CodeWords = Readonly<Partial<Record<(typeof codeVariables)[number], Readonly<Record<string, string>>>>>;

/** Variables that are excluded from texts for families: dates and details of an assignment are explained by the school. */
export const staffVariables: readonly NoticeVariable[] = ['dueOnAr', 'expiresOnAr', 'fullNameAr', ...codeVariables];

export type NoticeWords = Readonly<Partial<Record<NoticeVariable, string>>>;

const variable = /\{\{([A-Za-z]+)\}\}/g;

const isKnown = (name: string): name is NoticeVariable => Object.hasOwn(fieldOf, name);

/** Returns the known variables that the template names. */
export const variablesIn = (template: string): readonly NoticeVariable[] => [
  ...new Set([...template.matchAll(variable)].map(([, name = '']) => name).filter(isKnown)),
];

/** Whether the template has an unknown variable or a stray brace; readers must see no braces. */
export const isMalformed = (template: string): boolean =>
  /[{}]/.test(template.replace(variable, (found, name: string) => (isKnown(name) ? '' : found)));

/** Throws RangeError for a variable without a word. */
export const fillNotice = (template: string, words: NoticeWords): string =>
  template.replace(variable, (_, name: NoticeVariable) => {
    const word = words[name];
    if (word === undefined) throw new RangeError(`there is no word for ${name}`);
    return word;
  });

/** `date` is YYYY-MM-DD; the result has day, month and year in the digits of the surrounding text. */
export const dateAr = (date: string): string =>
  date
    .split('-')
    .toReversed()
    .map((part) => String(Number(part)))
    .join('/')
    .replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)] ?? digit);
