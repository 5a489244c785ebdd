// Papers of a lesson, and the quick codes of a class: of a class with difficult names.

import { renderSheet } from '#identity/people/quick-codes/sheet.ts';
import { paperNames, staffName } from '#rules/language/index.ts';
import type { LessonPaper } from '#teaching/lessons/papers/pages/paper.ts';
import { printVariant } from '#teaching/lessons/papers/print.ts';
import { hardNames, personName } from './people.ts';
import type { Sample } from './sample.ts';

const size = 12;
const people = Array.from({ length: size }, (_, at) => ({
  studentId: at,
  fullNameAr: hardNames[at] ?? personName(at),
}));
const onPaper = paperNames(people);
const letterhead = {
  organizationName: 'مؤسسة البيان للتعليم',
  schoolName: 'مدرسة النور',
  address: 'https://literacy.example',
};

const itemAt = (at: number): LessonPaper['items'][number] => ({
  ...{ itemRef: `item-${at}`, subSkillCode: 'DEC_WORD', taskType: 'mcq_text', promptAr: 'أَيُّ كَلِمَةٍ نَقْرَأُ؟' },
  ...{ speechAr: null, optionSpeechAr: null, correctOptionIndex: at % 3 },
  passageAr: at === 4 ? 'ذَهَبَ سَامِي إِلَى الْحَدِيقَةِ مَعَ أَخِيهِ، وَلَعِبَ بِالْكُرَةِ حَتَّى غَرَبَتِ الشَّمْسُ.' : null,
  options: at % 2 === 0 ? ['بَابٌ', 'بَابًا', 'دَارٌ'] : ['فِي الْحَدِيقَةِ الْكَبِيرَةِ', 'مَعَ أَخِيهِ الصَّغِيرِ', 'بَابٌ'],
});

const items = Array.from({ length: 6 }, (_, at) => itemAt(at));

const paper: LessonPaper = {
  ...{
    ...letterhead,
    titleAr: 'قراءة الكلمات',
    classNameAr: 'الثاني (2ب)',
    grade: 2,
    scheduledOn: '2026-01-18',
    stepNo: 3,
  },
  ...{ goalsAr: ['قراءة كلمة'], madeAt: '2026-01-15T08:00:00.000Z', items },
  recipients: people.map(({ studentId }) => onPaper.get(studentId)?.fullNameAr ?? ''),
  segments: [
    {
      segmentNo: 1,
      kind: 'opening',
      minutes: 5,
      scriptAr: 'نرحب بالطلبة ونذكرهم بما تعلمناه في الحصة السابقة.',
      itemRefs: [],
    },
    {
      segmentNo: 2,
      kind: 'check',
      minutes: 15,
      scriptAr: 'نقرأ كل سؤال مرة واحدة.',
      itemRefs: items.map(({ itemRef }) => itemRef),
    },
  ],
};

export const paperSamples: readonly Sample[] = [
  { name: 'session-student-sheets.pdf', make: () => printVariant(paper, 'student_sheet') },
  { name: 'session-teacher-guide.pdf', make: () => printVariant(paper, 'teacher_guide') },
  { name: 'session-answer-key.pdf', make: () => printVariant(paper, 'answer_key') },
  {
    name: 'quick-codes.pdf',
    make: () =>
      renderSheet({
        ...letterhead,
        className: paper.classNameAr,
        validUntil: '2026-02-14',
        madeAt: new Date(paper.madeAt),
        rows: people.map(({ studentId }) => ({
          fullNameAr: staffName(onPaper.get(studentId) ?? { fullNameAr: '', isShared: false }, `S-${1000 + studentId}`),
          quickCode: `ABCD${2345 + studentId}`,
        })),
      }),
  },
];
