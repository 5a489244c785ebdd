// Hostile texts made of a pattern's own characters, which match for as long as possible and fail at their end.
import { adversarialFillings } from '../requests/fillings.ts';

/** Control characters, and a letter of a script that no pattern names. */
const mismatches = ['\u0000', 'ꙮ'] as const;
/** One character of each kind that classes and escapes in the code name. */
const usual = [...'aZ0 \n\r\t_-.,:;=@/"\'%#<{[(\\é٣اَـ', '😀', '\u200f', '\u00a0', '\ufeff'];

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  f: '\f',
  v: '\v',
  '0': '\u0000',
  d: '0',
  D: 'a',
  w: 'a',
  W: '-',
  s: ' ',
  S: 'a',
};
const atom =
  /\\[pP]\{[^}]*\}|\\u\{[\da-fA-F]+\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\[\s\S]|\[(?:\\[\s\S]|[^\\\]])*\]|\(\?(?:<?[=!]|:|<\w+>)|\{\d+(?:,\d*)?\}\??|[()*+?|^$]|[\s\S]/gu;
const structure = /^(?:\(\?.*|\{\d.*|[()*+?|^$]|\\[bB])$/su;

/** Returns a text for each atom of the pattern, in order: one character that it matches. */
export function atomsOf(source: string, flags: string): string[] {
  const mode = flags.replace(/[gy]/g, '');
  return (source.match(atom) ?? []).flatMap((part) => {
    if (structure.test(part)) return [];
    if (part === '.') return ['x'];
    if (part.length === 1 || /^\\[ux]/.test(part)) return [decoded(part)];
    if (part.startsWith('[') || /^\\[pP]/.test(part)) return oneOf(part, mode);
    return [escapes[part[1] ?? ''] ?? part.slice(1)];
  });
}

function decoded(part: string): string {
  if (part.length === 1) return part;
  return String.fromCodePoint(Number.parseInt(part.replace(/[^\da-fA-F]/g, ''), 16));
}

/** Returns the first usual character that the class matches, else the first one of the class itself. */
function oneOf(part: string, mode: string): string[] {
  const taken = new RegExp(part, mode);
  const own = [...part].filter((unit) => !'\\[]^'.includes(unit));
  const found = [...usual, ...own].find((unit) => taken.test(unit));
  return found === undefined ? [] : [found];
}

const filled = (head: string, part: string, length: number, end: string): string =>
  (head + part.repeat(Math.ceil(length / part.length))).slice(0, length - end.length) + end;

/** Returns at least ten different texts of `length` characters. */
export function hostileFillings(source: string, flags: string, length: number): string[] {
  const atoms = atomsOf(source, flags);
  const whole = atoms.join('');
  const texts = Object.values(adversarialFillings(length)).map((text) => text.slice(-length));
  for (const [index, unit] of atoms.entries()) {
    const head = atoms.slice(0, index).join('');
    const pair = unit + (atoms[index + 1] ?? atoms[0] ?? '');
    for (const end of mismatches) {
      texts.push(filled('', unit, length, end), filled(head, unit, length, end), filled('', head + unit, length, end));
      texts.push(filled(head, pair, length, end));
    }
    texts.push(filled('', unit, length, ''), filled(whole, unit, length, ''));
  }
  for (const unit of [' ', '\t', '\n', 'ا', 'َ']) texts.push(filled('', unit, length, 'x'));
  return [...new Set(texts)];
}
