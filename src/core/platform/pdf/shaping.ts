// Shaping Arabic takes most of the time of a page, and pages say the same words again and again: what was shaped once is kept for
// all documents of a process, in a bounded store. No document may show what was shaped before it.
import type { Font, PdfFont } from './pdfmake-parts.ts';

interface Shaper {
  /** Reads the tables of its file when it first needs them. */
  readonly font: Font;
  readonly shaped: Map<string, object>;
}

const mostShaped = 20_000;

const shapers = new Map<string, Shaper>();

/** `file` says which font it is. Runs are only read by those who get them. */
export function shareShaping(font: PdfFont, file: string): void {
  const shaper = shapers.get(file) ?? { font: withOwnCharacters(font.font), shaped: new Map() };
  shapers.set(file, shaper);
  const shape: PdfFont['layoutRun'] = font.layoutRun.bind({ font: shaper.font, scale: font.scale });
  font.layoutRun = (text, features) => {
    const key = `${String(features)} ${text}`;
    const known = shaper.shaped.get(key);
    if (known) return known;
    const run = shape(text, features);
    if (shaper.shaped.size >= mostShaped) shaper.shaped.clear();
    shaper.shaped.set(key, run);
    return run;
  };
}

/**
 * Letters and digits share shapes: ٤ and ۴, and whatever differs by its dots alone. The font says of a shape the characters that
 * it was first asked for, whichever document that was; here it says those that it is asked for now.
 */
function withOwnCharacters(font: Font): Font {
  const find = font.getGlyph.bind(font);
  font.getGlyph = (id, characters = []) => {
    const found = find(id, characters);
    if (!found || String(found.codePoints) === String(characters)) return found;
    return Reflect.construct(found.constructor, [id, characters, font]);
  };
  return font;
}
