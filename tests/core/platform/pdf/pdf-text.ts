// Texts that poppler extracts from the pages of a PDF. Tests that need it are skipped by name if it is not installed.
import { execFileSync, spawnSync } from 'node:child_process';
import { skipped } from '../../../harness/needs.ts';

export const canReadPages = !spawnSync('pdftotext', ['-v']).error;
export const needsReader = 'needs pdftotext (poppler-utils) on the PATH';

type Register = (name: string, run: () => void | Promise<void>) => void;

/** Registers tests that read pages; without the program they are reported as skipped. */
export const readsPages = (test: Register): Register => (canReadPages ? test : (name) => skipped(name, needsReader));

const run = (program: string, options: readonly string[], pdf: Uint8Array): string =>
  execFileSync(program, options, { input: pdf, maxBuffer: 1 << 27 }).toString();

/** Returns the output of the program. */
export const rawText = (pdf: Uint8Array, ...options: string[]): string => run('pdftotext', [...options, '-', '-'], pdf);

/** Returns it without bidi controls, which the program adds. */
export const letterText = (pdf: Uint8Array, ...options: string[]): string =>
  rawText(pdf, ...options)
    .normalize('NFC')
    .replaceAll(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, '');

/** Returns it with single spaces; pages stay separate. */
export const textOf = (pdf: Uint8Array, ...options: string[]): string =>
  letterText(pdf, ...options).replaceAll(/[^\S\f]+/g, ' ');

/** Returns the metadata of the file, one line per field. */
export const pdfInfo = (pdf: Uint8Array): string => run('pdfinfo', ['-'], pdf);

export const pageCount = (pdf: Uint8Array): number => Number(/Pages:\s+(\d+)/.exec(pdfInfo(pdf))?.[1]);
