// Phrases that shame, blame, diagnose, compare, rank or count, listed by meaning independently of the rules; and every
// text of the service itself, which passes.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { capabilities } from '#app/capabilities.ts';
import { ruleUse } from '#backoffice/workbench/validation/rule-use.ts';
import { renderings } from '#rules/language/index.ts';
import { loadNewestBundle } from '#rules/rulesets/files.ts';
import { shippedCheck } from '../sets.ts';

const family = shippedCheck('family');
const staff = shippedCheck('staff');

const refused: Readonly<Record<string, readonly string[]>> = {
  'a child that fails': [
    ...[
      'متعثر دراسيًا',
      'متعثرة في القراءة',
      'ابنتكم من المتعثرات',
      'تعثر دراسي',
      'أخفق في القراءة',
      'أخفقت في الاختبار',
    ],
    ...['راسب', 'رسبت ابنتكم', 'فشل في المهمة', 'سيفشل', 'لم ينجح بعد', 'خائب', 'خايبة', 'الخائبون'],
  ],
  'a child that cannot': [
    ...[
      'لا يستطيع القراءة',
      'لا تعرف الحروف',
      'ما يعرف يقرأ',
      'ما بيعرف يقرأ',
      'ما تعرف تقرأ',
      'ما بتعرف تقرأ',
      'غير قادرة',
    ],
    ...['لا يفهم ما يقرأ', 'عاجز عن القراءة', 'يعاني من القراءة', 'صعوبة في الحروف', 'غير متمكن'],
  ],
  'a child that is not clever': [
    ...['ليس ذكيًا', 'ليست ذكية', 'غير ذكي', 'ليس شاطرًا', 'ليست شاطرة', 'مش شاطر', 'مو شاطرة', 'غبي', 'بليد', 'كسول'],
    ...['كسلانة', 'أحمق', 'متخلفة', 'بطيء الفهم', 'ضعيف', 'ضعيفة', 'أضعف', 'أضعفهم', 'سخيف', 'مهمل'],
  ],
  'less than is asked': [
    ...['أقل من المطلوب', 'أدنى من المطلوب', 'دون المطلوب', 'أقل من مستوى الصف', 'أقل من مستوى صفه', 'أقل من مستوى صف'],
    ...['نتيجته منخفضة', 'نتائجها منخفضة', 'نتيجتها منخفضة', 'نتائجه منخفضة', 'مستواه منخفض', 'مستواها منخفض'],
    ...['دون المتوقع', 'تحت المعدل', 'تراجع مستوى طفلكم', 'تراجع مستواه', 'تراجع مستواها', 'مستوى متدنٍّ', 'دون المستوى'],
  ],
  mistakes: ['أخطاء كثيرة', 'أخطاؤه كثيرة', 'أخطاؤها كثيرة', 'يخطئ كثيرًا', 'تخطئ كثيرًا', 'بأخطاء كثيرة'],
  alarm: ['طفلكم في خطر', 'وضع مقلق', 'حالة مقلقة', 'يدعو إلى القلق', 'يدعو للقلق', 'حالة حرجة'],
  blame: [
    ...['خيب ظننا', 'خيبت ظننا', 'كان عليكم أن تتابعوا', 'كان يجب عليكم', 'لو تابعتموه', 'لو تابعتموها', 'أنتم السبب'],
    ...[
      'كلكم مسؤولون عن تأخره',
      'مسؤولون عن تأخرها',
      'هذا بذنبه',
      'بذنبها',
      'ذنبكم',
      'إهمالكم',
      'بسبب البيت',
      'سيعاقب',
    ],
    ...['عقوبة', 'عيب عليكم', 'تقصير منكم', 'قلة اهتمام'],
  ],
  'a diagnosis': [
    ...[
      'بحاجة إلى علاج',
      'يحتاج إلى علاج',
      'تحتاج إلى علاج',
      'أخصائي نطق',
      'اختصاصي نطق',
      'أخصائية نطق',
      'أخصائي نفسي',
    ],
    ...['طبيب نفسي', 'عسر القراءة', 'فرط حركة', 'طيف التوحد', 'نقص الانتباه', 'إعاقة', 'اضطراب', 'تأخر نمائي'],
  ],
  'a comparison': ['أفضل من زملائه', 'أقل من غيره', 'مقارنة بأقرانها', 'مثل أخيه', 'دون المتوسط', 'عن بقية الصف'],
  'a rank': ['المركز الأول', 'الأولى على الصف', 'ترتيبه في الصف', 'آخر الصف', 'متفوق على غيرهم'],
  'a number in words': [
    ...[
      'سبعة من عشرة',
      'قرأ خمس كلمات',
      'وتسع كلمات',
      'ستة أخطاء',
      'بثلاثة أخطاء',
      'أربع أسئلة',
      'ثماني درجات',
      'عشر علامات',
    ],
    ...[
      'ثلاث إجابات',
      'أربعة من الخمسة',
      'المستوى الأول من الدعم',
      'المستوى الثاني من الدعم',
      'المستوى الثالث من الدعم',
    ],
  ],
};

test('at least 120 phrases of eleven meanings are caught', () => {
  const all = Object.values(refused).flat();
  assert.ok(new Set(all).size >= 120, String(new Set(all).size));
  const passed = all.filter((text) => family(text, 'parent_stricter').safe);
  assert.equal(passed, []);
});

test('refused for staff: the weakest, and blame of a home', () => {
  for (const [text, tier] of [
    ...(['ui', 'reports', 'teacher_note'] as const).flatMap((tier) =>
      ['أضعف', 'أضعفهم', 'الأضعف في الصف', 'طالب ضعيف', 'ضعاف', 'عجز واضح'].map((text) => [text, tier] as const),
    ),
    ...(['reports', 'teacher_note'] as const).flatMap((tier) =>
      ['أهله غير متعاونين', 'بيئته فقيرة', 'بذنبها'].map((text) => [text, tier] as const),
    ),
  ]) {
    const { safe, rewritten } = staff(text, tier);
    assert.equal([safe, rewritten], [false, null], `${tier}: ${text}`);
  }
});

/** Words that look like those of rules: a tail, an eagle, a name, a swear word's letters in a lesson. */
const harmless = [
  ...[
    'لستم وحدكم',
    'تسعى المدرسة إلى التعاون معكم',
    'نلتقي يوم الاثنين',
    'نبحث عن حرف الألف',
    'يحكي ما يعرفه عن القصة',
  ],
  ...[
    'هزت القطة ذنبها',
    'شفاء تحب القراءة',
    'رأينا عقابًا في السماء',
    'العربية الفصيحة',
    'نفتح حظيرة الخراف',
    'عباءة جدتي',
  ],
  ...[
    'لامها الأولى مفتوحة',
    'نراجع الحروف معًا',
    'نذهب إلى المتاجر',
    'في المخطط صور',
    'تسعة أعشار الطريق',
    'خمس دقائق هادئة',
  ],
  ...['ست الحسن والشاطر', 'عشرة أيام من العطاء', 'ثلاث مرات', 'أربع صور', 'أضعاف العدد', 'الخطوة الأولى'],
];

test('ordinary sentences with letters of rules pass for families, children and staff', () => {
  const student = shippedCheck('student');
  for (const text of harmless) {
    assert.equal(family(text, 'parent_stricter').violations, [], text);
    assert.equal(student(text, 'student').violations, [], text);
    assert.equal(staff(text, 'teacher_note').violations, [], text);
  }
});

test('every text of the service passes its readers: at least 120 of them are for families', async () => {
  const bundle = await loadNewestBundle('rules');
  const texts = ruleUse(capabilities)
    .texts({})
    .flatMap((source) => source(bundle));
  const forFamilies = new Set(
    texts
      .filter(({ tiers }) => tiers.some((tier) => tier === 'parent' || tier === 'parent_stricter'))
      .flatMap((text) => [...renderings(text, 'طفلكم')]),
  );
  assert.ok(forFamilies.size >= 120, String(forFamilies.size));
  for (const text of forFamilies) assert.equal(family(text, 'parent').violations, [], text);
});

test.run();
