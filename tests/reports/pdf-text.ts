// What a program reads out of the pages of a PDF.
import { execFileSync } from 'node:child_process';

/** Bidi controls are poppler’s own. */
export const textOf = (pdf: Uint8Array, ...options: string[]): string =>
  execFileSync('pdftotext', [...options, '-', '-'], { input: pdf, maxBuffer: 1 << 27 })
    .toString()
    .normalize('NFC')
    .replaceAll(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll(/[^\S\f]+/g, ' ');
