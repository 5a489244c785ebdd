// The review sheet of a cell, which a teacher or specialist marks by hand. It is a printable right-to-left page without
// network resources.
import type { Item, ItemOption } from '../engine/item.ts';
import { risksOf } from '../engine/synthesis.ts';
import { sheetStyle } from './sheet-style.ts';

export interface SheetHead {
  /** `LK_SOUND.G12` */
  readonly cell: string;
  readonly nameAr: string;
  readonly grades: readonly number[];
  readonly bankVersion: number;
  /** The embedded font, as base64. */
  readonly fontBase64: string;
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const arabicDigits = (text: string | number): string =>
  String(text)
    .replace('.', '٫')
    .replace('-', '−')
    .replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)] ?? digit);

const gradeNames: Readonly<Record<number, string>> = { 1: 'الأول', 2: 'الثاني', 3: 'الثالث', 4: 'الرابع' };

export function sheetPage(head: SheetHead, items: readonly Item[]): string {
  const title = `${head.nameAr} – بنك البنود ${arabicDigits(head.bankVersion)}`;
  return `<!doctype html>
<html lang="ar" dir="rtl"><head><meta charset="utf-8"><title>${escaped(`${head.cell} – ${title}`)}</title>
<style>${sheetStyle(head.fontBase64)}</style></head><body>
${headOf(head, items)}
${items.map(itemOf).join('\n')}
</body></html>
`;
}

function headOf({ cell, nameAr, grades, bankVersion }: SheetHead, items: readonly Item[]): string {
  const gradesAr = grades.map((grade) => gradeNames[grade]).join(' و');
  return `<header><h1>${escaped(nameAr)}</h1>
<p>الصف ${escaped(gradesAr)} · <bdi>${cell}</bdi> · الإصدار ${arabicDigits(bankVersion)} من بنك البنود · ${arabicDigits(items.length)} بندًا</p>
<table class="who"><tr><td>اسم المراجع:</td><td>الصفة: ☐ معلّم ☐ مراجع لغوي ☐ مختص في القراءة</td></tr>
<tr><td>التاريخ:</td><td>التوقيع:</td></tr></table>
<p class="how">اقرأ كل بند كما يراه الطفل ويسمعه. الجواب الصحيح معلّم بالعلامة ✓. ضع علامة في خانة القرار، واكتب الملاحظة أو النص المصحح في السطور.
أيوجد جواب صحيح ثانٍ؟ أيُعرف الجواب من شكله أو طوله؟ أهو مناسب لعمر الطفل وبيئته؟ أالضبط سليم؟</p></header>`;
}

function itemOf(item: Item): string {
  const { prompt, options, correctIndex, difficulty, version } = item;
  return `<section><div class="id"><b><bdi>${item.id}</bdi></b><span>نسخة البند ${arabicDigits(version)}</span><span>الصعوبة <bdi dir="ltr">${arabicDigits(difficulty.toFixed(1))}</bdi></span>${risksNote(item)}</div>
<p class="prompt">${escaped(prompt.text)}</p>
${prompt.speech === prompt.text ? '' : `<p class="heard"><span>يُسمع:</span> ${escaped(prompt.speech)}</p>`}
${prompt.passage === null ? '' : `<p class="passage">${escaped(prompt.passage)}</p>`}
<ol>${options.map((option) => optionOf(option, option.index === correctIndex)).join('')}</ol>
<div class="verdict"><span>☐ مقبول</span><span>☐ يُعدَّل</span><span>☐ يُستبعد</span><span class="note">ملاحظة:</span></div><div class="line"></div></section>`;
}

const risksAr = { isolated_sound: 'صوت منفرد', blend: 'دمج', minimal_pair: 'فرق دقيق' } as const;

function risksNote(item: Item): string {
  const risks = risksOf(item).map((risk) => risksAr[risk]);
  return risks.length === 0 ? '' : `<span class="risk">يلزم تسجيل بصوت بشري: ${risks.join('، ')}</span>`;
}

function optionOf({ text, speech, microPattern }: ItemOption, isRight: boolean): string {
  const spoken = speech === null || speech === text ? '' : ` <small>(يُقال: ${escaped(speech)})</small>`;
  const pattern = microPattern === null ? '' : ` <small><bdi>${microPattern}</bdi></small>`;
  return `<li${isRight ? ' class="right"' : ''}><span>${isRight ? '✓' : '○'}</span> ${escaped(text)}${spoken}${pattern}</li>`;
}
