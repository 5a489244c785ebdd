// The texts of the sentences about results. A sentence is made of one or more of them.
import type { ServedText, TextSource } from '#rules/language/index.ts';

export const sentenceTexts = {
  counted: {
    ar: '{{skill}} حتى {{date}}. إجابات محتسبة: {{answers}}، منها خاطئة: {{wrong}}؛ أسئلة مختلفة: {{items}}، جلسات: {{sessions}}.',
    en: '{{skill}}, up to {{date}}. Answers that count: {{answers}}, wrong: {{wrong}}; different questions: {{items}}, sessions: {{sessions}}.',
  },
  marks: {
    ar: 'وسقطت علامة ضبط فقط في: {{marks}}.',
    en: 'Only a vowel mark was missed in: {{marks}}.',
  },
  rateBelow: {
    ar: 'نسبة الخطأ الموزونة {{rate}}، أي أقل من {{high}}.',
    en: 'The weighted share wrong is {{rate}}, less than {{high}}.',
  },
  rateBetween: {
    ar: 'نسبة الخطأ الموزونة {{rate}}، أي لا تقل عن {{low}} وأقل من {{high}}.',
    en: 'The weighted share wrong is {{rate}}, at least {{low}} and less than {{high}}.',
  },
  rateFrom: {
    ar: 'نسبة الخطأ الموزونة {{rate}}، أي لا تقل عن {{low}}.',
    en: 'The weighted share wrong is {{rate}}, at least {{low}}.',
  },
  rate: {
    ar: 'نسبة الخطأ الموزونة {{rate}}.',
    en: 'The weighted share wrong is {{rate}}.',
  },
  shows: {
    ar: 'ما يدل عليه ذلك: {{reason}}. النتيجة: {{status}}.',
    en: 'What this shows: {{reason}}. Result: {{status}}.',
  },
  undecided: {
    ar: 'لا يُحكم بعد: {{reason}}.',
    en: 'No decision yet: {{reason}}.',
  },
  needed: {
    ar: 'أسئلة أخرى مطلوبة: {{needed}}.',
    en: 'More questions needed: {{needed}}.',
  },
  notMeasured: {
    ar: '{{skill}}: لم تُقس بعد.',
    en: '{{skill}}: not measured yet.',
  },
  domain: {
    ar: '{{domain}}. مهارات محكوم فيها: {{decided}} من {{inScope}}.',
    en: '{{domain}}. Sub-skills that are decided: {{decided}} of {{inScope}}.',
  },
  result: {
    ar: 'النتيجة: {{status}}.',
    en: 'Result: {{status}}.',
  },
  onTile: {
    ar: 'على البطاقة: {{value}}.',
    en: 'On the tile: {{value}}.',
  },
  noResult: {
    ar: 'لا نتيجة بعد.',
    en: 'No result yet.',
  },
  tile: {
    ar: '{{tile}}: {{status}}.',
    en: '{{tile}}: {{status}}.',
  },
  notInGrade: {
    ar: '{{tile}}: لا تُقاس في هذا الصف.',
    en: '{{tile}}: not measured in this grade.',
  },
  run: {
    ar: 'الصورة العامة حتى {{date}}: {{status}}.',
    en: 'Overall picture up to {{date}}: {{status}}.',
  },
  incomplete: {
    ar: 'في بعض المهارات لا يُحكم بعد.',
    en: 'Some sub-skills are not decided yet.',
  },
  answer: {
    ar: '{{date}}، {{source}}: {{code}}.',
    en: '{{date}}, {{source}}: {{code}}.',
  },
  answerCounts: {
    ar: 'تُحتسب بوزن {{weight}}.',
    en: 'It counts with a weight of {{weight}}.',
  },
  answerIgnored: {
    ar: 'لا تُحتسب.',
    en: 'It does not count.',
  },
} as const;

const variable = /\{\{([a-zA-Z]+)\}\}/g;

/** Words in the place of a value: terms and names are served texts of their own, and the whole sentence is checked. */
const anyWords = ['كلمة'];

export const explanationTexts: TextSource = () =>
  Object.entries(sentenceTexts).map(
    ([key, { ar }]): ServedText => ({
      id: `explanation/${key}`,
      tiers: ['ui', 'reports', 'teacher_note'],
      template: ar,
      variables: Object.fromEntries([...ar.matchAll(variable)].map(([, name = '']) => [name, anyWords])),
    }),
  );
