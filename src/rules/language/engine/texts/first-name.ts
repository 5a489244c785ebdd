// The form of a person's name in texts (contract 00): the first word of the name, or a substitute. Names are data, so
// no filter rule applies to them in any script.
import { foldText } from '../fold/fold.ts';

/** Returns a name for display: without controls, direction marks and unassigned characters. */
export const plainName = (name: string): string =>
  name
    .replace(/\s/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu, '')
    .replace(/ +/g, ' ')
    .trim();

export type NameReader = 'family' | 'staff';

/** Substitutes for a missing name. The filter checks a sentence with this word instead of the name. */
export const namelessWords: Readonly<Record<NameReader, string>> = { family: 'طفلكم', staff: 'الطالب' };

export function firstNameAr(fullNameAr: string, reader: NameReader): string {
  const name = takenFrom(withoutTitles(plainName(fullNameAr.replace(/\p{N}/gu, '')).split(' ')));
  return name === '' ? namelessWords[reader] : name;
}

export function fullNameAr(name: string, reader: NameReader): string {
  const plain = plainName(name);
  return plain === '' ? namelessWords[reader] : plain;
}

const folded = (word: string): string => foldText(word).text;
const foldedSet = (words: string): ReadonlySet<string> => new Set(words.split(' ').map(folded));

/**
 * A one-letter title needs a sign after it; the others do not. «السيد» and «الشيخ» are first names too, so they are not
 * titles here.
 */
const initials = foldedSet('د أ م');
const initialSigns = new Set('./');
const titles = foldedSet(
  'دكتور دكتورة أستاذ أستاذة مهندس مهندسة آنسة الدكتور الدكتورة الأستاذ الأستاذة المهندس المهندسة الآنسة الطالب الطالبة التلميذ التلميذة',
);
const titleSigns = new Set('.:/');

/**
 * Returns the words after the leading titles. A title that no word follows is the name; a separate sign belongs to the
 * title before it.
 */
function withoutTitles(words: readonly string[]): readonly string[] {
  const [first = '', second = ''] = words;
  const hasLooseSign = titleSigns.has(folded(second));
  const rest = afterTitle(hasLooseSign ? first + second : first);
  if (rest === undefined) return words;
  const left = [rest, ...words.slice(hasLooseSign ? 2 : 1)].filter((word) => word !== '');
  return left.length === 0 ? words : withoutTitles(left);
}

/** Returns the rest of a word after its leading title (possibly empty); undefined when it begins with none. */
function afterTitle(word: string): string | undefined {
  const { text, starts, ends } = foldText(word);
  if (titles.has(text)) return '';
  const sign = [...text].findIndex((unit) => titleSigns.has(unit));
  if (sign < 0) return undefined;
  const title = text.slice(0, sign);
  const isTitle = titles.has(title) || (initials.has(title) && initialSigns.has(text.charAt(sign)));
  return isTitle && starts[sign] !== undefined ? word.slice(ends[sign]) : undefined;
}

const heads = foldedSet('عبد أبو أبا أبي أم ابن بنت آل ذو أمة');
const secondWords = foldedSet('الله الرحمن الدين الإسلام الحق الهدى الزهراء العابدين');
const pairs = new Set(['شمس الضحى', 'شجرة الدر', 'تاج السر', 'جاد الرب', 'ست الحسن'].map(folded));

const mostWords = 4;

function takenFrom(words: readonly string[]): string {
  const keys = words.map(folded);
  let [taken, isSecondUsed] = [1, false];
  while (taken < Math.min(mostWords, words.length)) {
    const [last = '', next = ''] = [keys[taken - 1], keys[taken]];
    if (!heads.has(last)) {
      if (isSecondUsed || !(secondWords.has(next) || pairs.has(`${last} ${next}`))) break;
      isSecondUsed = true;
    }
    taken += 1;
  }
  return words.slice(0, taken).join(' ');
}
