// How Arabic texts are told apart, and what of their spelling can be told without reading them.
interface Text {
  readonly where: string;
  readonly text: string;
}

const bare = (text: string) => text.replace(/[\u064B-\u0652\u0670\u0640]/g, '');

/** Pairs of neighbouring words: enough of them in common, and one text is made of the other. */
function pairsOf(text: string): ReadonlySet<string> {
  const words = bare(text).match(/[\u0621-\u064A]+/g) ?? [];
  return new Set(words.slice(1).map((word, at) => `${words[at]} ${word}`));
}

/** Of the shorter text's pairs of words, how many the other may hold; texts written apart share a tenth. */
const mostShared = 0.3;

/** Pairs of texts of which one says largely what the other says, the words of items left out. */
export function alike(texts: readonly Text[]): string[] {
  const all = texts.map(({ where, text }) => ({ where, pairs: pairsOf(text) }));
  return all.flatMap((one, at) =>
    all.slice(at + 1).flatMap((other) => {
      const share = shared(one.pairs, other.pairs);
      return share > mostShared ? [`${one.where} and ${other.where}: ${share.toFixed(2)}`] : [];
    }),
  );
}

function shared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [few, many] = one.size < other.size ? [one, other] : [other, one];
  let common = 0;
  for (const pair of few) if (many.has(pair)) common += 1;
  return few.size === 0 ? 0 : common / few.size;
}

/** What a language reviewer sends back at first sight, in text that carries few marks. */
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
