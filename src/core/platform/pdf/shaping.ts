// A bounded cache of shaped text that all documents of a process share, since shaping Arabic takes most of the time of a page,
// and pages repeat their words. A document must not depend on what was shaped before it.
import type { Font, PdfFont } from './pdfmake-parts.ts';

interface Shaper {
  /** Reads the tables of its file on first use. */
  readonly font: Font;
  readonly shaped: Map<string, object>;
}

const maxShaped = 20_000;

const shapers = new Map<string, Shaper>();

/** `file` identifies the font. Cached runs must not be modified. */
export function shareShaping(font: PdfFont, file: string): void {
  const shaper = shapers.get(file) ?? { font: withOwnCharacters(font.font), shaped: new Map() };
  shapers.set(file, shaper);
  const shape: PdfFont['layoutRun'] = font.layoutRun.bind({ font: shaper.font, scale: font.scale });
  font.layoutRun = (text, features) => {
    const key = `${String(features)} ${text}`;
    const known = shaper.shaped.get(key);
    if (known) return known;
    const run = shape(text, features);
    if (shaper.shaped.size >= maxShaped) shaper.shaped.clear();
    shaper.shaped.set(key, run);
    return run;
  };
}

/**
 * Letters and digits share glyphs: ٤ and ۴, and letters that differ by their dots alone. The font caches with a glyph the
 * characters for which it was first requested, by any document; this version returns those of the current request.
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
