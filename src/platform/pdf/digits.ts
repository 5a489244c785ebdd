// Digits of a document that children and families read: one system on all of its pages.
const zero = 0x0660;

/** With Arabic-Indic digits. */
export const arabicDigits = (text: string | number): string =>
  String(text).replace(/[0-9]/g, (digit) => String.fromCodePoint(zero + Number(digit)));
