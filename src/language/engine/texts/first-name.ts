// How a person is called in a text (contract 00): the first word of the name, or two where one alone is no name.

const needSecond = new Set(['عبد', 'أبو', 'أبي', 'أم', 'ابن', 'بنت', 'آل', 'ذو']);
const belongToFirst = new Set([...['الله', 'الرحمن', 'الدين', 'الإسلام', 'الحق', 'الهدى', 'الزهراء', 'العابدين']]);

/** Names are data: they are shown as they are, without what could change the text around them. */
export const plainName = (name: string): string =>
  name
    .replace(/\s/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu, '')
    .replace(/ +/g, ' ')
    .trim();

/** Without digits. Empty where nothing is left. */
export function firstNameOf(fullNameAr: string): string {
  const [first = '', second] = plainName(fullNameAr.replace(/\p{N}/gu, '')).split(' ');
  if (second === undefined) return first;
  return needSecond.has(first) || belongToFirst.has(second) ? `${first} ${second}` : first;
}

const namelessWords = { family: 'طفلكم', staff: 'الطالب' } as const;

/** `isSafe` asks the filter of the text's tier about the name alone. */
export function safeFirstName(
  fullNameAr: string,
  audience: keyof typeof namelessWords,
  isSafe: (text: string) => boolean,
): string {
  const name = firstNameOf(fullNameAr);
  return name !== '' && isSafe(name) ? name : namelessWords[audience];
}
