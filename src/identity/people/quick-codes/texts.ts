// The fixed texts of the printed list of a class.

import { arabicDigits } from '#core/platform/pdf/text.ts';
import type { TextSource } from '#rules/language/index.ts';

export const headingOf = (className: string): string => `رموز الدخول السريع: ${className}`;
/** `validUntil` is `2026-02-14`, which is printed as `٢٠٢٦/٢/١٤`. */
export const validityOf = (validUntil: string): string =>
  `صالحة حتى ${arabicDigits(validUntil.split('-').map(Number).join('/'))}`;

export const footWords = (location: readonly string[]): string =>
  `سري – ${location.join(' – ')} – صفحة {page} من {pages}`;

/** The texts for the language check. Names of classes are data, so examples stand for them. */
export const sheetTexts: TextSource = () => [
  { id: 'quick-codes/heading', tiers: ['reports', 'student'], template: headingOf('{{className}}'), variables },
  { id: 'quick-codes/validity', tiers: ['reports', 'student'], template: `صالحة حتى {{date}}`, variables },
  { id: 'quick-codes/foot', tiers: ['reports', 'student'], template: footWords(['{{className}}']), variables },
];

const variables = { className: ['الصف الأول أ', '١ ب', 'Grade 4'], date: ['٢٠٢٦/٩/١'] };
