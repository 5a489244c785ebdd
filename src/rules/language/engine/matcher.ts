// The language filter: matches a text for one tier against a set. A matcher is compiled once and runs in time linear in
// the text.
import { type FoldedText, foldText, type TextSpan } from './fold/fold.ts';
import { type FoldedReading, readingsOf } from './fold/readings.ts';
import { patternFinder } from './patterns/pattern-finder.ts';
import { mirroredFinder } from './phrases/mirrored.ts';
import { phraseFinder } from './phrases/phrase-finder.ts';
import { type Action, appliesToTier, type LanguageReasonCode, type LanguageRule, type Tier } from './rules.ts';

export interface Violation {
  readonly ruleId: string;
  /** UTF-16 offsets in the original text, end exclusive. The span covers whole words with their affixes. */
  readonly start: number;
  readonly end: number;
  readonly action: Action;
  readonly reasonCode: LanguageReasonCode;
}

export interface Checked {
  readonly safe: boolean;
  /** Sorted by start, then longest first, then rule id. */
  readonly violations: readonly Violation[];
  /** Null when the text is safe or when a rule blocks it. */
  readonly rewritten: string | null;
}

export type Matcher = (text: string) => Checked;

type Finder = (reading: FoldedReading) => (TextSpan & { readonly rule: number })[];

/** Throws PatternError for an unsupported pattern. */
export function matcherOf(rules: readonly LanguageRule[], tier: Tier): Matcher {
  const applying = rules.filter((rule) => appliesToTier(rule, tier));
  const loose = findersOf(applying, false);
  const exact = findersOf(applying, true);
  return (text) => {
    const found = [...violationsIn(text, applying, loose, false), ...violationsIn(text, applying, exact, true)];
    const violations = [...found].sort(inOrder);
    return { safe: violations.length === 0, violations, rewritten: rewritten(text, violations, applying) };
  };
}

function findersOf(rules: readonly LanguageRule[], isExact: boolean): readonly Finder[] {
  const own = rules.flatMap(({ match, exact = false }, rule) => (exact === isExact ? [{ match, rule }] : []));
  if (own.length === 0) return [];
  const phrases = own.flatMap(({ match, rule }) =>
    'phrases' in match ? match.phrases.map((text) => ({ text, rule })) : [],
  );
  const patterns = own.flatMap(({ match, rule }) => ('pattern' in match ? [{ text: match.pattern, rule }] : []));
  const labels = phrases.filter(({ rule }) => rules[rule]?.reasonCode === 'deficit_label');
  const mirrored = isExact ? [] : [mirroredFinder(labels)];
  return [phraseFinder(phrases, isExact), ...mirrored, inWrittenText(patternFinder(patterns, isExact))];
}

const inWrittenText =
  (find: Finder): Finder =>
  (reading) =>
    reading.isRejoined ? [] : find(reading);

/** Several readings may find the same words; each rule reports them once. */
function violationsIn(
  text: string,
  rules: readonly LanguageRule[],
  finders: readonly Finder[],
  isExact: boolean,
): Iterable<Violation> {
  if (finders.length === 0) return [];
  const found = new Map<string, Violation>();
  for (const reading of readingsOf(foldText(text, isExact))) {
    for (const { rule, from, to } of finders.flatMap((find) => find(reading))) {
      const { start, end } = inOriginal(reading, from, to);
      const { id: ruleId, action, reasonCode } = rules[rule] as LanguageRule;
      found.set(`${ruleId} ${start} ${end}`, { ruleId, start, end, action, reasonCode });
    }
  }
  return found.values();
}

/** In a reversed reading the units are not in the order of the original. */
function inOriginal({ starts, ends }: FoldedText, from: number, to: number): { start: number; end: number } {
  let [start, end] = [Number.POSITIVE_INFINITY, 0];
  for (let at = from; at < to; at += 1) {
    start = Math.min(start, starts[at] ?? start);
    end = Math.max(end, ends[at] ?? end);
  }
  return { start, end };
}

const inOrder = (one: Violation, other: Violation): number =>
  one.start - other.start || other.end - one.end || (one.ruleId < other.ruleId ? -1 : 1);

/** Among overlapping spans, the first and longest one is replaced. */
function rewritten(text: string, violations: readonly Violation[], rules: readonly LanguageRule[]): string | null {
  if (violations.length === 0 || violations.some(({ action }) => action === 'block')) return null;
  const replacements = new Map(rules.map(({ id, replacementAr = '' }) => [id, replacementAr]));
  let [out, reached] = ['', 0];
  for (const { start, end, ruleId } of violations) {
    if (start < reached) continue;
    out += text.slice(reached, start) + (replacements.get(ruleId) ?? '');
    reached = end;
  }
  return out + text.slice(reached);
}
