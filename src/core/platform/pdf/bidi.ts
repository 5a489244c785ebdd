// Levels of the characters of a right-to-left paragraph by the Unicode Bidirectional Algorithm (UAX #9): the classes that
// names, numbers and sentences need, weak and neutral rules and brackets; explicit embeddings are removed before. Where readers
// expect a number to keep its order and the algorithm would reverse it, the number is kept; `keepNumbers` lists these cases.

type Strong = 'L' | 'R';
type Kind = Strong | 'AL' | 'EN' | 'AN' | 'ES' | 'CS' | 'ET' | 'NSM' | 'neutral';

/** Returns the level of each character: 1 for right to left, 2 for left to right inside it. */
export function levelsOf(characters: readonly string[]): number[] {
  const kinds = withNeutrals(withBrackets(characters, withNumbers(characters)));
  return kinds.map((kind) => (kind === 'R' ? 1 : 2));
}

const classes: readonly (readonly [Kind, RegExp])[] = [
  ['NSM', /^[\p{Mn}\p{Me}]/u],
  ['AN', /^[\u0660-\u0669\u066b\u066c]/u],
  ['EN', /^[0-9\u06f0-\u06f9\u00b2\u00b3\u00b9\uff10-\uff19]/u],
  ['ES', /^[+\-\u2212\u207a\u207b\u208a\u208b\ufe62\ufe63\uff0b\uff0d]/u],
  ['CS', /^[,./:\u00a0\u060c\u202f\u2044\ufe50\ufe52\ufe55\uff0c\uff0e\uff0f\uff1a]/u],
  ['ET', /^[#%\u00b0\u066a\u0609\u060a\u2030-\u2034\u2213\p{Sc}]/u],
  ['AL', /^(?=\p{L})[\p{Script_Extensions=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u],
  ['R', /^(?=\p{L})[\p{Script=Hebrew}\p{Script=Nko}]/u],
  ['L', /^[\p{L}\p{Mc}\p{Nd}\p{Nl}]/u],
];

const kindOf = (character: string): Kind => classes.find(([, own]) => own.test(character))?.[0] ?? 'neutral';

const isNumber = (kind: Kind | undefined): kind is 'EN' | 'AN' => kind === 'EN' || kind === 'AN';

/** W1 to W7: the remaining kinds are L, R, EN, AN and neutral. */
function withNumbers(characters: readonly string[]): Kind[] {
  const kinds = characters.map(kindOf);
  let strong: Kind = 'R';
  for (const [at, kind] of kinds.entries()) {
    const own = kind === 'NSM' ? (kinds[at - 1] ?? 'R') : kind;
    if (own === 'L' || own === 'R' || own === 'AL') strong = own;
    kinds[at] = own === 'EN' && strong === 'AL' ? 'AN' : own;
  }
  keepNumbers(characters, kinds);
  return afterLatin(kinds.map((kind, at) => terminated(kinds, kind, at)));
}

/**
 * W4 and more: a sign or separator between two digits belongs to the number whatever their scripts are, so that dates and
 * ranges keep their order; so does a per-cent sign after European or Arabic digits, and a plus or minus before European ones.
 */
function keepNumbers(characters: readonly string[], kinds: Kind[]): void {
  for (const [at, kind] of kinds.entries()) {
    const [before, after] = [kinds[at - 1], kinds[at + 1]];
    if ((kind === 'ES' || kind === 'CS') && isNumber(before) && isNumber(after)) kinds[at] = before;
    else if (characters[at] === '%' && isNumber(before)) kinds[at] = before;
    else if (kind === 'ES' && isNumber(after) && /[0-9]/.test(characters[at + 1] ?? '') && isOpen(characters[at - 1]))
      kinds[at] = after;
  }
}

/** Returns whether the character does not make a following sign binary. */
const isOpen = (character: string | undefined): boolean => character === undefined || /[\s(«[{]/u.test(character);

/** W5, W6: signs beside a European number belong to it, all others are neutral. */
function terminated(kinds: readonly Kind[], kind: Kind, at: number): Kind {
  if (kind === 'AL') return 'R';
  if (kind === 'ES' || kind === 'CS') return 'neutral';
  if (kind !== 'ET') return kind;
  let [from, to] = [at, at];
  while (kinds[from] === 'ET') from -= 1;
  while (kinds[to] === 'ET') to += 1;
  return kinds[from] === 'EN' || kinds[to] === 'EN' ? 'EN' : 'neutral';
}

/** W7: a European number after Latin is Latin. */
function afterLatin(kinds: readonly Kind[]): Kind[] {
  let strong: Kind = 'R';
  return kinds.map((kind) => {
    if (kind === 'L' || kind === 'R') strong = kind;
    return kind === 'EN' && strong === 'L' ? 'L' : kind;
  });
}

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

interface Pair {
  readonly open: number;
  readonly close: number;
}

/** Returns pairs of brackets, ordered by the opening ones (BD16). */
function pairsOf(characters: readonly string[]): Pair[] {
  const found: Pair[] = [];
  let waiting: { readonly close: string; readonly open: number }[] = [];
  for (const [at, character] of characters.entries()) {
    const close = closing[character];
    if (close !== undefined) waiting.push({ close, open: at });
    const match = waiting.findLastIndex((one) => one.close === character);
    if (match < 0) continue;
    found.push({ open: waiting[match]?.open ?? at, close: at });
    waiting = waiting.slice(0, match);
  }
  return found.toSorted((one, other) => one.open - other.open);
}

/** Numbers count as right to left. */
const strongOf = (kind: Kind): Strong | undefined => (kind === 'neutral' ? undefined : kind === 'L' ? 'L' : 'R');

/**
 * N0: a pair has the direction of the paragraph, except one that contains only Latin and follows Latin. A pair without letters
 * is neutral.
 */
function withBrackets(characters: readonly string[], kinds: readonly Kind[]): Kind[] {
  const settled = [...kinds];
  for (const { open, close } of pairsOf(characters)) {
    const inside = settled.slice(open + 1, close).map(strongOf);
    const before = settled
      .slice(0, open)
      .map(strongOf)
      .findLast((one) => one !== undefined);
    if (inside.every((one) => one === undefined)) continue;
    const kind = !inside.includes('R') && before === 'L' ? 'L' : 'R';
    settled[open] = kind;
    settled[close] = kind;
  }
  return settled;
}

/**
 * N1, N2: neutrals between two characters of one direction have it, all others have that of the paragraph, which is also that
 * of both ends.
 */
function withNeutrals(kinds: readonly Kind[]): Kind[] {
  const beside = (at: number, step: 1 | -1): Strong => {
    let next = at;
    while (kinds[next] === 'neutral') next += step;
    const kind = kinds[next];
    return (kind && strongOf(kind)) ?? 'R';
  };
  return kinds.map((kind, at) => (kind === 'neutral' ? (beside(at, -1) === 'L' ? beside(at, 1) : 'R') : kind));
}
