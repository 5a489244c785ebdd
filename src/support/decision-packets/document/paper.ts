// The parts of a printed packet for a meeting: the head of each page, dates, and lines for signatures.
import type { Content, TableCell } from 'pdfmake/interfaces.js';
import type { FootLine } from '#core/platform/pdf/foot.ts';
import { ruled } from '#core/platform/pdf/layouts.ts';
import { arabic } from '#core/platform/pdf/text.ts';
import { packetLabels } from './arabic-labels.ts';
import type { PacketStudent } from './packet-student.ts';

/** Formats `YYYY-MM-DD` as staff write dates: 2027/1/18. */
export const printedDate = (date: string): string => date.split('-').map(Number).join('/');

/** Letters of the head that always fit on one line of an A4 page. */
const lettersOfLine = 70;
/** In points: a line of the head, and the space above and below the lines. */
const lineHeight = 17;
const around = 44;

/** Confidentiality, student, class and school; long names wrap, and the margin of the page grows with them. */
export function pageHead({ studentNameAr, className, schoolName }: PacketStudent): {
  readonly content: Content;
  /** In points, from the upper edge of the page. */
  readonly height: number;
} {
  const joined = (...parts: readonly (string | null)[]) => parts.filter((part) => part !== null).join(' · ');
  const classAndSchool = joined(className, schoolName);
  const words = [
    `${packetLabels.confidential} · ${packetLabels.title} · ${studentNameAr ?? packetLabels.noName}`,
    ...(classAndSchool === '' ? [] : [classAndSchool]),
  ];
  const lines = words.reduce((sum, line) => sum + Math.ceil(line.length / lettersOfLine), 0);
  return {
    content: {
      stack: words.map((line, at) => arabic(line, { bold: at === 0 })),
      absolutePosition: { x: 40, y: 24 },
    },
    height: around + lines * lineHeight,
  };
}

/** The foot of each page: confidentiality, organization, school, class and page number. */
export const packetFoot = ({ organizationName, schoolName, className }: PacketStudent): FootLine[] => {
  const origin = [organizationName, schoolName, className].filter((part) => part !== null);
  const style = { alignment: 'center' } as const;
  return [
    {
      words: [packetLabels.confidential, ...origin].join(' – '),
      direction: 'rightToLeft',
      style: { ...style, margin: [0, 6, 0, 0] },
    },
    { words: packetLabels.page, direction: 'rightToLeft', style },
  ];
};

const people = [packetLabels.openedBy, packetLabels.decidedBy, packetLabels.member, packetLabels.member];

/** A table that is not broken across pages. */
export const signatures: Content = {
  unbreakable: true,
  stack: [
    arabic(packetLabels.signatures, { fontSize: 13, margin: [0, 18, 0, 4] }),
    {
      table: {
        widths: [80, 150, '*', 110],
        body: [
          [packetLabels.signedOn, packetLabels.signature, packetLabels.name, ''].map(
            (label): TableCell => arabic(label),
          ),
          ...people.map((who): TableCell[] => [' ', ' ', ' ', arabic(who, { margin: [0, 10, 0, 6] })]),
        ],
      },
      layout: ruled({ hLineWidth: 0.4, vLineWidth: 0, hLineColor: '#999999', paddingTop: 3, paddingBottom: 3 }),
    },
  ],
};
