// How measures and platforms are called in a text. Codes that are not here have no name yet: nothing is said of them.

export const measureNames: Readonly<Record<string, string>> = { ORF_WCPM: 'طلاقة القراءة الجهرية' };

export const providerNames: Readonly<Record<string, string>> = {
  google_classroom: 'جوجل كلاسروم',
  oneroster: 'ون روستر',
};
