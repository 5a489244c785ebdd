// Compares Arabic texts, and finds spelling mistakes that need no reader.
interface Text {
  readonly where: string;
  readonly text: string;
}

const bare = (text: string) => text.replace(/[\u064B-\u0652\u0670\u0640]/g, '');

/** Returns pairs of neighbouring words: a text that shares enough of them with another is derived from it. */
function pairsOf(text: string): ReadonlySet<string> {
  const words = bare(text).match(/[\u0621-\u064A]+/g) ?? [];
  return new Set(words.slice(1).map((word, at) => `${words[at]} ${word}`));
}

/** The most pairs of the shorter text that the other may contain; independent texts share a tenth. */
const mostShared = 0.3;

/** Returns pairs of similar texts, ignoring the words of items. */
export function alike(texts: readonly Text[]): string[] {
  const all = texts.map(({ where, text }) => ({ where, pairs: pairsOf(text) }));
  const holders = new Map<string, number[]>();
  return all.flatMap(({ where, pairs }, at) => {
    const common = new Map<number, number>();
    for (const pair of pairs) {
      const before = holders.get(pair) ?? [];
      for (const other of before) common.set(other, (common.get(other) ?? 0) + 1);
      holders.set(pair, [...before, at]);
    }
    return [...common].flatMap(([other, count]) => {
      const share = count / Math.min(pairs.size, all[other]?.pairs.size ?? 0);
      return share > mostShared ? [`${all[other]?.where} and ${where}: ${share.toFixed(2)}`] : [];
    });
  });
}

/** The faults that a language reviewer rejects at once, in text with few marks. */
const wrongSpelling: readonly (readonly [RegExp, string])[] = [
  [
    /(?<![\p{L}\p{M}])[وف]?(?<!و)(الى|اذا|اذن|او|ان|انه|انها|اي|اول|اخر|اكثر|اقل|انت|انا|ايضا|الان)(?![\p{L}\p{M}])/u,
    'hamza',
  ],
  [/(?<![\p{L}\p{M}])[وف]?(فى|التى|الذى|هى|علي|حتي|متي|لدي)(?![\p{L}\p{M}])/u, 'ى and ي'],
  [/\u0627\u064B/u, 'tanween after its alef'],
  [
    /(?<![\p{L}\p{M}])(أولا|أيضا|معا|جدا|شيئا|قليلا|كثيرا|دائما|غدا|تماما|جميعا|خطا|وحدا)(?![\p{L}\p{M}])/u,
    'tanween of fatha is written',
  ],
  [/[،؛.؟!:](?=[\p{L}«])/u, 'no space after a mark'],
  [/ [،؛.؟!:]/u, 'a space before a mark'],
  [/[،؛.:]{2}|؟؟|!!|\.\./u, 'marks doubled'],
  [/« | »/u, 'a space inside quotes'],
];

export function orthographyIssues(text: string): string[] {
  const unbalanced = text.split('«').length === text.split('»').length ? [] : ['quotes do not close'];
  return [...unbalanced, ...wrongSpelling.filter(([pattern]) => pattern.test(text)).map(([, issue]) => issue)];
}
