// What the report for a board says beside the words of rule documents.
export const boardLabels = {
  title: 'تقرير المجلس',
  organization: 'المؤسسة',
  period: 'فترة القياس',
  students: 'عدد الطلبة',
  schools: 'عدد المدارس',
  classes: 'عدد الصفوف',
  measured: 'نسبة من قيسوا',
  tiles: 'مجالات القراءة',
  trend: 'المسار عبر فترات القياس',
  noTrend: 'لم تُنشر أعداد بعد.',
  bySchool: 'المدارس بالترتيب الهجائي',
  noSchools: 'لا مدارس بعد.',
  school: 'المدرسة',
  support: 'نسبة من تفيدهم خطة دعم',
  method: 'كيف حُسبت الأرقام',
  protection: 'تُحجب الأعداد الصغيرة حتى لا يُعرف منها طالب بعينه.',
  released: 'تُنشر الأعداد مرة واحدة في كل فترة قياس، ولا يغيّرها ما يأتي بعدها.',
  measuredMeans: 'نسبة من قيسوا: حصة من أُنجز قياسهم في فترة القياس الجارية.',
  supportMeans: 'نسبة من تفيدهم خطة دعم: حصة هذين المستويين من الأعداد المنشورة',
} as const;

export const seasonsAr = { BOY: 'بداية العام', MOY: 'منتصف العام', EOY: 'نهاية العام' } as const;
