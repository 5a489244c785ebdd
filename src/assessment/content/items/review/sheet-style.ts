// The print style of a review sheet on A4: lines to write on, no item split across pages.

export const sheetStyle = (fontBase64: string): string => `
@font-face { font-family: Sheet; src: url(data:font/ttf;base64,${fontBase64}) format('truetype'); }
@page { size: A4; margin: 14mm 13mm 16mm; }
* { box-sizing: border-box; }
body { font-family: Sheet, 'Noto Naskh Arabic', 'Traditional Arabic', 'Times New Roman', serif; font-size: 12.5pt; line-height: 1.9; margin: 0 auto; max-width: 184mm; color: #111; background: #fff; }
h1 { font-size: 19pt; margin: 0; line-height: 1.5; }
header p { margin: 0; font-size: 10.5pt; }
.who { width: 100%; border-collapse: collapse; margin: 2mm 0; font-size: 10.5pt; }
.who td { border: 1px solid #888; padding: 1mm 2.5mm; width: 50%; }
.how { border-inline-start: 3px solid #888; padding-inline-start: 3mm; line-height: 1.7; }
section { border: 1px solid #999; border-radius: 2mm; padding: 2mm 4mm 3mm; margin: 3.5mm 0; break-inside: avoid; }
.id { display: flex; flex-wrap: wrap; gap: 5mm; font-size: 9pt; color: #444; line-height: 1.5; }
.id b { color: #111; }
.risk { border: 1px solid #444; border-radius: 1mm; padding: 0 1.5mm; }
.prompt { font-size: 14.5pt; margin: 1mm 0; line-height: 2; }
.heard { margin: 0; line-height: 2; }
.heard span { font-size: 9.5pt; color: #444; }
.passage { margin: 1mm 0; padding: 1.5mm 3mm; background: #f2f2f2; line-height: 2.1; print-color-adjust: exact; }
ol { list-style: none; margin: 0; padding: 0; display: grid; grid-template-columns: 1fr 1fr; column-gap: 6mm; }
li { line-height: 2; }
li.right { font-weight: bold; }
li > span { display: inline-block; width: 1.3em; text-align: center; }
small { font-size: 8.5pt; color: #555; font-weight: normal; }
.verdict { display: flex; gap: 6mm; border-top: 1px dashed #aaa; margin-top: 1.5mm; padding-top: 1mm; font-size: 11pt; line-height: 1.6; }
.note { flex: 1; border-bottom: 1px solid #aaa; }
.line { border-bottom: 1px solid #aaa; height: 8mm; }
`;
