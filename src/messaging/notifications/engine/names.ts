// Arabic names of measures and platforms in texts. A code that is missing here has no name, and no text mentions it.

export const measureNames: Readonly<Record<string, string>> = { ORF_WCPM: 'طلاقة القراءة الجهرية' };

export const providerNames: Readonly<Record<string, string>> = {
  google_classroom: 'جوجل كلاسروم',
  oneroster: 'ون روستر',
};
