// What a program reads out of the pages of a PDF. Programs that can are not everywhere: tests that need one are named.
import { execFileSync, spawnSync } from 'node:child_process';
import { skipped } from '../../../harness/needs.ts';

export const canReadPages = !spawnSync('pdftotext', ['-v']).error;
export const needsReader = 'needs pdftotext (poppler-utils) on the PATH';

type Register = (name: string, run: () => void | Promise<void>) => void;

/** Registers tests that read pages; without the program each is named as skipped. */
export const readsPages = (test: Register): Register => (canReadPages ? test : (name) => skipped(name, needsReader));

const run = (program: string, options: readonly string[], pdf: Uint8Array): string =>
  execFileSync(program, options, { input: pdf, maxBuffer: 1 << 27 }).toString();

/** As the program writes it. */
export const rawText = (pdf: Uint8Array, ...options: string[]): string => run('pdftotext', [...options, '-', '-'], pdf);

/** Without bidi controls, which are the program's own. */
export const letterText = (pdf: Uint8Array, ...options: string[]): string =>
  rawText(pdf, ...options)
    .normalize('NFC')
    .replaceAll(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, '');

/** And with one space where there are several; pages stay apart. */
export const textOf = (pdf: Uint8Array, ...options: string[]): string =>
  letterText(pdf, ...options).replaceAll(/[^\S\f]+/g, ' ');

/** What the file says of itself, a line a field. */
export const pdfInfo = (pdf: Uint8Array): string => run('pdfinfo', ['-'], pdf);

export const pageCount = (pdf: Uint8Array): number => Number(/Pages:\s+(\d+)/.exec(pdfInfo(pdf))?.[1]);
