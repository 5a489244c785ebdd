// Invented names of people and schools: short, long and vocalised ones, and some that mix scripts.
import { seededNumbers } from '#core/platform/pure/random.ts';

const first = [
  ...['أحمد', 'ليان', 'عبد الرحمن', 'نُورَةُ', 'يوسف', 'مريم', 'سلمى', 'خالد', 'جنى', 'إبراهيم', 'تالا', 'عمر'],
  ...['رُقَيَّة', 'حمزة', 'شهد', 'زياد', 'آية', 'مؤمن', 'لؤلؤة', 'بدر', 'Sara', 'عائشة', 'فيصل', 'هيا'],
];
const family = [
  ...['القحطاني', 'بن سعيد', 'المصري', 'أبو زيد', 'الشمري', 'الخطيب', 'حداد', 'السالم', 'بن عبد العزيز آل خليفة'],
  ...['منصور', 'النجار', 'الحسيني الهاشمي القرشي', 'عبد الله بن محمد', 'خوري'],
];
const schoolNames = [
  'النور',
  'الأمل',
  'الفجر',
  'الرازي',
  'ابن سينا',
  'الخنساء',
  'اليرموك',
  'الزيتون',
  'المستقبل',
  'البيان',
];

/** Returns an element of a list, which repeats after its end. */
const nth = (list: readonly string[], at: number): string => list[at % list.length] ?? '';

/** A name of two hundred letters, the maximum, the last word wider than a line. */
export const longName =
  `عبد الرحمن بن عبد العزيز بن محمد ${'الهاشمي القرشي '.repeat(4)}${'عبدالمتعالي'.repeat(20)}`.slice(0, 200);

/** Three spellings of one name, one in Latin letters, one with a number, and the longest one. */
export const hardNames = [
  ...['محمد القحطاني', 'مُحَمَّد القحطاني', 'محمد القحطانى', 'Lina O’Connor', 'ليان 2 \u2066(B-7)\u2069 الشمري'],
  ...['عبد الله بن محمد القحطاني', 'عبد الله بن سعد القحطاني', longName],
];

export const personName = (at: number): string => `${nth(first, at)} ${nth(family, at * 5 + Math.floor(at / 24))}`;

export const schoolName = (at: number): string =>
  at % 17 === 3
    ? `مدرسة ${nth(schoolNames, at)} الابتدائية المشتركة للتعليم الأساسي (${at + 1})`
    : `مدرسة ${nth(schoolNames, at)} ${at + 1}`;

/** Returns a function that draws values with the frequency of their weights. */
export function drawing<Value extends string>(
  seed: number,
): (weights: Readonly<Partial<Record<Value, number>>>) => Value {
  const next = seededNumbers(seed);
  return (weights) => {
    const entries = Object.entries(weights) as [Value, number][];
    let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    const [drawn] =
      entries.find(([, weight]) => {
        left -= weight;
        return left < 0;
      }) ??
      entries[0] ??
      [];
    if (drawn === undefined) throw new RangeError('nothing to draw from');
    return drawn;
  };
}
