// The teacher guide: the goal, the segments with minutes and scripts, the spoken text of each item, and a checklist of the
// students.
import type { Content } from 'pdfmake/interfaces.js';
import type { PrintedPart } from '#core/platform/pdf/printer.ts';
import { arabic, arabicDigits } from '#core/platform/pdf/text.ts';
import { minutesAr, observations, paperLabels, segmentNames } from './labels.ts';
import { box, heading, headOf, pageFoot, paperTable } from './marks.ts';
import { itemsInOrder, type LessonPaper, type NumberedItem } from './paper.ts';

export function teacherGuide(paper: LessonPaper): PrintedPart {
  const { segments, stepNo, goalsAr } = paper;
  const minutes = segments.reduce((sum, segment) => sum + segment.minutes, 0);
  const items = itemsInOrder(paper);
  return {
    margins: [40, 40, 40, 24],
    foot: pageFoot(paper),
    content: [
      ...headOf(paper, paperLabels.guide),
      arabic(`${paperLabels.goal}: ${goalsAr.join('، ')}`, small),
      arabic(`${paperLabels.step}: ${arabicDigits(stepNo)}    ${paperLabels.duration}: ${minutesAr(minutes)}`, small),
      heading(paperLabels.flow),
      ...segments.flatMap((segment) => segmentOf(segment, items)),
      ...studentsOf(paper),
    ],
  };
}

const small = { fontSize: 12, margin: [0, 0, 0, 4] as [number, number, number, number] };

function segmentOf(segment: LessonPaper['segments'][number], items: readonly NumberedItem[]): Content[] {
  const { segmentNo, kind, minutes, scriptAr, itemRefs } = segment;
  const own = items.filter(({ itemRef }) => itemRefs.includes(itemRef));
  const title = `${arabicDigits(segmentNo)}. ${segmentNames[kind]} – ${minutesAr(minutes)}`;
  return [
    {
      unbreakable: true,
      stack: [
        arabic(title, { fontSize: 13, bold: true, margin: [0, 6, 0, 2] }),
        arabic(scriptAr, { fontSize: 12, lineHeight: 1.2, margin: [0, 0, 0, 4] }),
      ],
    },
    ...(own.length === 0
      ? []
      : [
          paperTable(
            [36],
            [paperLabels.number, paperLabels.say],
            own.map((item) => [arabic(arabicDigits(item.no)), { stack: spokenTextOf(item) }]),
          ),
        ]),
  ];
}

/** The passage, then the speech text or otherwise the prompt, then the options. */
function spokenTextOf({ promptAr, speechAr, passageAr, options, optionSpeechAr }: NumberedItem): Content[] {
  return [
    ...(passageAr === null ? [] : [arabic(passageAr, { fontSize: 12, margin: [0, 0, 0, 3] })]),
    arabic(speechAr ?? promptAr, { fontSize: 12, bold: true }),
    arabic((optionSpeechAr ?? options).join(' / '), { fontSize: 12 }),
  ];
}

const boxSize = 11;

function studentsOf({ recipients }: LessonPaper): Content[] {
  if (recipients.length === 0) return [];
  const ticks = Object.values(observations);
  const widths = [150, ...ticks.slice(1).map(() => 80)];
  const rows = recipients.map((name) => [arabic(name, { fontSize: 12 }), ...ticks.map(() => centred())]);
  return [heading(paperLabels.students), paperTable(widths, [paperLabels.name, ...ticks], rows)];
}

const centred = (): Content => ({
  columns: [
    { width: '*', text: '' },
    { width: boxSize, stack: [box(boxSize)] },
    { width: '*', text: '' },
  ],
});
