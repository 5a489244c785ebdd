// How a person is called in a text (contract 00): the first word of the name, or the words without which it is no name. Names are
// data: no rule of the filter is asked about them, whatever letters they are written in.
import { foldText } from '../fold/fold.ts';

/** A name as it is shown: without controls, marks of direction and what has no character. */
export const plainName = (name: string): string =>
  name
    .replace(/\s/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu, '')
    .replace(/ +/g, ' ')
    .trim();

export type NameReader = 'family' | 'staff';

/** Who has no name is called so. A sentence is judged by the filter with this word in the name's place. */
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

/** A title of one letter is one only with a sign; the others also without. «السيد» and «الشيخ» are names of children. */
const initials = foldedSet('د أ م');
const initialSigns = new Set('./');
const titles = foldedSet(
  'دكتور دكتورة أستاذ أستاذة مهندس مهندسة آنسة الدكتور الدكتورة الأستاذ الأستاذة المهندس المهندسة الآنسة الطالب الطالبة التلميذ التلميذة',
);
const titleSigns = new Set('.:/');

/**
 * The words that follow the titles in front. A title after which no word follows is the name; a sign that stands by itself
 * belongs to the title before it.
 */
function withoutTitles(words: readonly string[]): readonly string[] {
  const [first = '', second = ''] = words;
  const hasLooseSign = titleSigns.has(folded(second));
  const rest = afterTitle(hasLooseSign ? first + second : first);
  if (rest === undefined) return words;
  const left = [rest, ...words.slice(hasLooseSign ? 2 : 1)].filter((word) => word !== '');
  return left.length === 0 ? words : withoutTitles(left);
}

/** What a word holds behind a title that it begins with: empty, or another word. Undefined: it begins with none. */
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
