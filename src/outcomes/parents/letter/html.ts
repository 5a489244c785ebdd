// Renders a letter as an HTML page for screen readers, phones and browser printing, with the sentences of the printed
// version.
import type { Trajectory } from '../engine/enums.ts';
import { arrowBox, arrows } from './arrows.ts';
import type { LetterContent, LetterTile } from './content.ts';

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const text = (of: string): string => of.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign);

export function letterPage(letter: LetterContent): string {
  return `<!doctype html>
<html lang="ar" dir="rtl">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(letter.titleAr)}</title>
<style>${style}</style>
</head>
<body>
<main>
${head(letter)}
<h1>${text(letter.titleAr)}</h1>
<p class="greeting">${text(letter.greetingAr)}</p>
${seen(letter)}${home(letter)}${moreData(letter)}<section>
<h2>${text(letter.next.headingAr)}</h2>
<p>${text(letter.next.sentenceAr)}</p>
</section>
${signature(letter)}${slip(letter)}
<footer><p>${text(letter.confidentialAr)}</p></footer>
</main>
</body>
</html>
`;
}

const paragraphs = (lines: readonly (string | null)[]): string =>
  lines.flatMap((line) => (line === null ? [] : `<p>${text(line)}</p>`)).join('\n');

const head = ({ organizationName, schoolName, className, fullNameAr, dateAr }: LetterContent): string =>
  `<header>\n${paragraphs([organizationName, schoolName, className, fullNameAr, dateAr])}\n</header>`;

function seen({ seen: section }: LetterContent): string {
  if (!section) return '';
  const tiles = section.tiles.map(
    ({ nameAr, sentenceAr, periodAr, labelAr, direction }) =>
      `<li><h3>${text(nameAr)}</h3><p>${text(sentenceAr)}</p>` +
      `<p><strong>${text(`${periodAr}: ${labelAr}`)}</strong>${directed(direction)}</p></li>`,
  );
  return `<section>\n<h2>${text(section.headingAr)}</h2>\n<ul class="tiles">\n${tiles.join('\n')}\n</ul>\n</section>\n`;
}

/** The comma separates the two phrases for screen readers. */
const directed = (direction: LetterTile['direction']): string =>
  direction ? `، ${sign(direction.trajectory)} <span>${text(direction.wordsAr)}</span>` : '';

function home({ home: section }: LetterContent): string {
  if (!section) return '';
  const items = section.suggestions.map(
    ({ titleAr, bodyAr }) => `<li><strong>${text(titleAr)}:</strong> <span>${text(bodyAr)}</span></li>`,
  );
  return `<section>\n<h2>${text(section.headingAr)}</h2>\n<ul>\n${items.join('\n')}\n</ul>\n</section>\n`;
}

const moreData = ({ moreData: section }: LetterContent): string =>
  section ? `<section>\n<h2>${text(section.headingAr)}</h2>\n<p>${text(section.messageAr)}</p>\n</section>\n` : '';

const signature = ({ signatureAr }: LetterContent): string =>
  signatureAr === null ? '' : `<p class="signature">${text(signatureAr)}</p>\n`;

const slip = ({ fullNameAr, className, slip: { headingAr, guardianAr, notesAr, teacherAr } }: LetterContent): string =>
  `<section class="slip">
<h2>${text(headingAr)}</h2>
${paragraphs([fullNameAr, className])}
<ul>
${[guardianAr, notesAr, teacherAr].map((words) => `<li>${text(words)}<div class="line" aria-hidden="true"></div></li>`).join('\n')}
</ul>
</section>`;

/** Decorative: the adjacent text has the same meaning. */
function sign(trajectory: Trajectory): string {
  const paths = arrows[trajectory].map((line) => `M${line.map((point) => point.join(' ')).join('L')}`);
  const { width, height } = arrowBox;
  return `<svg aria-hidden="true" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><path d="${paths.join('')}" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
}

const style = `
body { margin: 0; background: #fff; color: #000; font: 1.125rem/1.7 Vazirmatn, "Noto Sans Arabic", Tahoma, sans-serif; }
main { max-width: 42rem; margin: 0 auto; padding: 1rem; }
header p, h1, h2, h3, p { margin: 0 0 .25rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 1.25rem; } h3 { font-size: 1.125rem; }
ul { margin: 0; padding-inline-start: 1.5rem; } li { margin-bottom: .5rem; }
.tiles { list-style: none; padding: 0; } .tiles li { border-bottom: 1px solid #000; }
.slip { margin-top: 2rem; border-top: 2px dashed #000; } .slip ul { list-style: none; padding: 0; }
.line { height: 2rem; border-bottom: 1px solid #000; } .signature { margin-top: 1.25rem; } p, li, h3 { overflow-wrap: anywhere; }
@page { size: A4; margin: 15mm; }
@media print { body { font-size: 13pt; line-height: 1.45; } main { max-width: none; padding: 0; } li, .slip { break-inside: avoid; } }
`;
