// What the printed list of a class says beside names and codes.
import type { TextSource } from '../../language/index.ts';

export const headingOf = (className: string): string => `رموز الدخول السريع: ${className}`;
export const validityOf = (validUntil: string): string => `صالحة حتى ${validUntil}`;

/** Names of classes are data. */
export const sheetTexts: TextSource = () => [
  { id: 'quick-codes/heading', tiers: ['reports', 'student'], template: headingOf('{{className}}'), variables },
  { id: 'quick-codes/validity', tiers: ['reports', 'student'], template: validityOf('{{date}}'), variables },
];

const variables = { className: ['الصف الأول أ', '١ ب', 'Grade 4'], date: ['2026-09-01'] };
