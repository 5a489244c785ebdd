// Papers as files: one PDF a kind of paper, several in one archive, or all of them in one PDF for a day without network.
import { zipSync } from 'fflate';
import { renderParts, renderPdf } from '#core/platform/pdf/printer.ts';
import type { Turn } from '#core/platform/process/worker-pool.ts';
import { type PaperVariant, paperVariants } from '../enums.ts';
import { answerKey } from './pages/answer-key.ts';
import { labels } from './pages/labels.ts';
import type { SessionPaper } from './pages/paper.ts';
import { studentSheet } from './pages/student-sheet.ts';
import { teacherGuide } from './pages/teacher-guide.ts';

const pagesOf = { student_sheet: studentSheet, teacher_guide: teacherGuide, answer_key: answerKey } as const;

const fontSize = 12;

/** Without a name: what a file says of itself is read by whoever holds it. */
const frame = ({ titleAr, madeAt }: SessionPaper, kind = '') => ({
  ...{ title: kind === '' ? titleAr : `${kind}: ${titleAr}`, madeAt: new Date(madeAt), fontSize },
});

const kindOf = { student_sheet: '', teacher_guide: labels.guide, answer_key: labels.key } as const;

export const printVariant = (paper: SessionPaper, variant: PaperVariant, turn?: Turn): Promise<Buffer> =>
  renderPdf({ ...frame(paper, kindOf[variant]), ...pagesOf[variant](paper) }, turn);

/** Everything on one pile: the guide, the key, then a sheet for each student. */
export const printPack = (paper: SessionPaper, turn?: Turn): Promise<Buffer> =>
  renderParts({ ...frame(paper), parts: [teacherGuide(paper), answerKey(paper), studentSheet(paper)] }, turn);

const fileOf = {
  student_sheet: 'student-sheets.pdf',
  teacher_guide: 'teacher-guide.pdf',
  answer_key: 'answer-key.pdf',
};

/** The archive has no time of its own: the same papers give the same bytes. */
export async function printVariants(
  paper: SessionPaper,
  variants: readonly PaperVariant[],
  turn?: Turn,
): Promise<Uint8Array> {
  const wanted = paperVariants.filter((variant) => variants.includes(variant));
  const [only] = wanted;
  if (only !== undefined && wanted.length === 1) return printVariant(paper, only, turn);
  const files: Record<string, Uint8Array> = {};
  for (const variant of wanted) files[fileOf[variant]] = await printVariant(paper, variant, turn);
  return zipSync(files, { level: 0, mtime: new Date(1980, 0, 1) });
}
