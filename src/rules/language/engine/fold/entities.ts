// Decodes HTML entities, with which a text for a page or a PDF could hide a letter.

/** Named entities for letters, signs or invisible characters; other names are left as they are. */
const named: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', shy: '\u00ad', zwnj: '\u200c', zwj: '\u200d' },
  ...{ lrm: '\u200e', rlm: '\u200f', ensp: ' ', emsp: ' ', thinsp: ' ', hyphen: '-', dash: '-', lowbar: '_' },
  ...{ num: '#', percnt: '%', permil: '‰', theta: 'θ', Theta: 'Θ', thetasym: 'ϑ', colon: ':', period: '.', comma: ',' },
};

export interface Piece {
  readonly codePoint: number;
  /** Length in UTF-16 units of the original text. */
  readonly length: number;
}

const entity = /&(?:#[xX]([0-9a-fA-F]{1,6})|#([0-9]{1,7})|([A-Za-z]{2,8}));?/y;

/** Returns the character of the entity at `at`; undefined when there is none. */
export function entityAt(text: string, at: number): Piece | undefined {
  entity.lastIndex = at;
  const found = entity.exec(text);
  const codePoint = found ? codePointOf(found) : undefined;
  return found && codePoint !== undefined ? { codePoint, length: found[0].length } : undefined;
}

function codePointOf([, hex, decimal, name]: RegExpExecArray): number | undefined {
  if (name !== undefined) return Object.hasOwn(named, name) ? named[name]?.codePointAt(0) : undefined;
  const value = hex === undefined ? Number.parseInt(decimal ?? '', 10) : Number.parseInt(hex, 16);
  const isText = value > 0 && value <= 0x10_ffff && !(value >= 0xd800 && value <= 0xdfff);
  return isText ? value : undefined;
}
