// Rendering of lesson papers: one PDF per variant, several variants in an archive, or one PDF with all for offline use.
import { zipSync } from 'fflate';
import { renderParts, renderPdf } from '#core/platform/pdf/printer.ts';
import type { TaskOwner } from '#core/platform/process/worker-pool.ts';
import { type PaperVariant, paperVariants } from '../enums.ts';
import { answerKey } from './pages/answer-key.ts';
import { paperLabels } from './pages/labels.ts';
import type { LessonPaper } from './pages/paper.ts';
import { studentSheet } from './pages/student-sheet.ts';
import { teacherGuide } from './pages/teacher-guide.ts';

const pagesOf = { student_sheet: studentSheet, teacher_guide: teacherGuide, answer_key: answerKey } as const;

const fontSize = 12;

/** The document metadata; it contains no name of a person. */
const frame = ({ titleAr, madeAt }: LessonPaper, kind = '') => ({
  title: kind === '' ? titleAr : `${kind}: ${titleAr}`,
  madeAt: new Date(madeAt),
  fontSize,
});

const kindOf = { student_sheet: '', teacher_guide: paperLabels.guide, answer_key: paperLabels.key } as const;

export const printVariant = (paper: LessonPaper, variant: PaperVariant, owner?: TaskOwner): Promise<Buffer> =>
  renderPdf({ ...frame(paper, kindOf[variant]), ...pagesOf[variant](paper) }, owner);

/** Renders the guide, the key and a sheet for each student as one PDF. */
export const printPack = (paper: LessonPaper, owner?: TaskOwner): Promise<Buffer> =>
  renderParts({ ...frame(paper), parts: [teacherGuide(paper), answerKey(paper), studentSheet(paper)] }, owner);

const fileOf = {
  student_sheet: 'student-sheets.pdf',
  teacher_guide: 'teacher-guide.pdf',
  answer_key: 'answer-key.pdf',
};

/** The archive has a fixed timestamp, so that its bytes depend on the papers alone. */
export async function printVariants(
  paper: LessonPaper,
  variants: readonly PaperVariant[],
  owner?: TaskOwner,
): Promise<Uint8Array> {
  const ordered = paperVariants.filter((variant) => variants.includes(variant));
  const [only] = ordered;
  if (only !== undefined && ordered.length === 1) return printVariant(paper, only, owner);
  const files: Record<string, Uint8Array> = {};
  for (const variant of ordered) files[fileOf[variant]] = await printVariant(paper, variant, owner);
  return zipSync(files, { level: 0, mtime: new Date(1980, 0, 1) });
}
