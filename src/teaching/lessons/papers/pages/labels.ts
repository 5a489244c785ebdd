// The fixed texts of lesson papers.

import { arabicDigits } from '#core/platform/pdf/text.ts';
import type { TextSource } from '#rules/language/index.ts';
import type { BlueprintSegment } from '../../../lesson-blueprints/index.ts';

export const paperLabels = {
  name: 'الاسم',
  class: 'الصف',
  school: 'المدرسة',
  confidential: 'سري',
  address: 'العنوان',
  date: 'التاريخ',
  page: 'صفحة',
  of: 'من',
  guide: 'دليل المعلم',
  key: 'مفتاح الإجابات',
  goal: 'الهدف',
  step: 'الخطوة',
  duration: 'المدة',
  students: 'الطلبة',
  flow: 'سير الحصة',
  say: 'نقول',
  question: 'السؤال',
  answer: 'الإجابة',
  number: 'الرقم',
  noItems: 'لا أسئلة في هذه الحصة.',
} as const;

/** The word for minutes by grammatical number. */
const minutes: Readonly<Record<Intl.LDMLPluralRule, string>> = {
  zero: 'دقيقة',
  one: 'دقيقة واحدة',
  two: 'دقيقتان',
  few: 'دقائق',
  many: 'دقيقة',
  other: 'دقيقة',
};

const grammaticalNumber = new Intl.PluralRules('ar');

/** `٥ دقائق`, `٢٠ دقيقة`; one and two are words. */
export function minutesAr(count: number): string {
  const number = grammaticalNumber.select(count);
  return number === 'one' || number === 'two' ? minutes[number] : `${arabicDigits(count)} ${minutes[number]}`;
}

export const observations = {
  present: 'حضر',
  took: 'شارك',
  prompted: 'احتاج إلى تذكير',
  corrected: 'صحح بنفسه',
} as const;

export const segmentNames: Readonly<Record<BlueprintSegment['kind'], string>> = {
  opening: 'افتتاح',
  model: 'عرض',
  guided: 'تطبيق مع المعلم',
  practice: 'تدريب',
  check: 'تحقق',
  closing: 'ختام',
};

const forChildren: readonly (keyof typeof paperLabels)[] = [
  ...(['name', 'class', 'school', 'confidential', 'address', 'date', 'page', 'of', 'noItems'] as const),
];

const lists = { labels: paperLabels, minutes, observations, segmentNames };

export const paperTexts: TextSource = () =>
  Object.entries(lists).flatMap(([list, words]) =>
    Object.entries(words).map(([word, template]) => ({
      id: `sessions/papers/${list}/${word}`,
      tiers: forChildren.some((one) => one === word)
        ? (['student', 'teacher_note'] as const)
        : (['teacher_note'] as const),
      template,
    })),
  );
