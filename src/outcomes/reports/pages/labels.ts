// Labels of printed reports that are not in rule documents.

import type { NextDataAction } from '#assessment/skill-status/index.ts';
import type { TextSource } from '#rules/language/index.ts';
import { boardLabels, seasonsAr } from './board-labels.ts';

export const reportLabels = {
  page: 'صفحة {page} من {pages}',
  asOf: 'البيانات حتى',
  at: 'الساعة',
  rules: 'نسخ القواعد',
  hidden: 'محجوب',
  none: 'لا يوجد',
  confidential: 'سري',
  organization: 'المؤسسة',
  tile: 'المجال',
  student: 'الطالب أو الطالبة',
  count: 'العدد',
} as const;

export const classLabels = {
  title: 'تقرير الصف',
  school: 'المدرسة',
  class: 'الصف',
  grade: 'المرحلة الصفية',
  teachers: 'المعلمون والمعلمات',
  schoolYear: 'العام الدراسي',
  students: 'عدد الطلبة',
  key: 'دليل المستويات',
  tiles: 'مجالات القراءة في الصف',
  grid: 'الطلبة ومجالات القراءة',
  moreData: 'طلبة يلزم قياسهم',
  action: 'الخطوة الآتية',
  unmeasured: 'مجالات لم تُقس في هذه الفترة',
  everyArea: 'كل المجالات',
  measureAreas: 'قياس المجالات الباقية',
  waiting: 'طلبة بلا نتيجة بعد',
  among: 'طلبة لم تُقس كل مجالاتهم في هذه الفترة',
  minutes: 'الدقائق اللازمة',
  allMinutes: 'الدقائق اللازمة للصف كله',
  movement: 'التغيّر منذ الفترة السابقة',
  from: 'من',
  to: 'إلى',
  noMovement: 'لا قياسات من الفترة السابقة.',
  groups: 'مجموعات الدعم الحالية',
  group: 'المجموعة',
  no: 'الرقم',
  members: 'الطلبة',
  noGroups: 'لا مجموعات حالية.',
  noStudents: 'لا طلبة في هذا الصف.',
  allMeasured: 'لا طلبة يلزم قياسهم: قيست كل مجالات هذه الفترة.',
} as const;

export const gradesAr: readonly string[] = ['الأول', 'الثاني', 'الثالث', 'الرابع'];

/** Verbal nouns, since they follow names of girls and boys. */
export const actionsAr: Readonly<Record<NextDataAction, string>> = {
  run_diagnostic: 'بدء الاختبار التشخيصي',
  administer_more_items: 'استكمال فقرات الاختبار',
  repeat_diagnostic: 'إعادة الاختبار التشخيصي',
  administer_orf: 'قياس القراءة الجهرية',
  assess_comprehension: 'قياس الفهم القرائي',
  assess_decoding: 'قياس فك الترميز',
  assess_listening: 'قياس الفهم السماعي',
  review_context: 'مراجعة سياق القياس',
};

const lists = { labels: reportLabels, classLabels, boardLabels, seasonsAr, gradesAr, actionsAr };

export const reportWords: readonly string[] = Object.values(lists).flatMap((words) => Object.values(words));

export const reportTexts: TextSource = () =>
  Object.entries(lists).flatMap(([list, words]) =>
    Object.entries(words).map(([word, template]) => ({
      ...{ id: `reports/pages/${list}/${word}`, tiers: ['reports'] as const, template },
    })),
  );
