// Builds the content of a letter, shared by the printed and the HTML version. Sentences are filtered, names are data.
import { plainName } from '#rules/language/index.ts';
import type { Trajectory } from '../engine/enums.ts';
import type { FamilyFacts } from '../facts/family-facts.ts';
import { gradeTilesOf, haltMessage, presentSuggestions, presentTile, wordOf } from '../portal/present.ts';
import type { FamilyRenderer } from '../render-for-family.ts';
import type { FamilyRules } from '../rules.ts';
import { letterLabels } from './labels.ts';

export interface LetterTile {
  readonly nameAr: string;
  /** One plain sentence on the skill. */
  readonly sentenceAr: string;
  /** The season of the observation. */
  readonly periodAr: string;
  readonly labelAr: string;
  /** Null when it would repeat the label. */
  readonly direction: { readonly trajectory: Trajectory; readonly wordsAr: string } | null;
}

export interface LetterSuggestion {
  readonly titleAr: string;
  readonly bodyAr: string;
}

export interface LetterContent {
  readonly titleAr: string;
  readonly confidentialAr: string;
  readonly organizationName: string | null;
  /** Null for a child without any class. */
  readonly schoolName: string | null;
  readonly className: string | null;
  readonly dateAr: string;
  /** Name, with an addition when another student of the class has the same name. */
  readonly fullNameAr: string | null;
  readonly greetingAr: string;
  /** Null when there is nothing to report. */
  readonly seen: { readonly headingAr: string; readonly tiles: readonly LetterTile[] } | null;
  /** Null when there are no suggestions; then `moreData` is set. */
  readonly home: { readonly headingAr: string; readonly suggestions: readonly LetterSuggestion[] } | null;
  readonly moreData: { readonly headingAr: string; readonly messageAr: string } | null;
  readonly next: { readonly headingAr: string; readonly sentenceAr: string };
  /** Signature of the PRIMARY teacher. */
  readonly signatureAr: string | null;
  readonly slip: {
    readonly headingAr: string;
    readonly guardianAr: string;
    readonly notesAr: string;
    /** Includes the name of the PRIMARY teacher, if any. */
    readonly teacherAr: string;
  };
}

/** `dateAr` is the local date in words. Throws UnsafeSentence. */
export function letterContent(
  rules: FamilyRules,
  renderer: FamilyRenderer,
  child: FamilyFacts,
  dateAr: string,
): LetterContent {
  const word = wordOf(rules, renderer);
  const { suggestions } = child;
  const teacherName = shown(child.teacherName);
  const own = (name: keyof typeof letterLabels) => renderer.render(`parents/letter/${name}`, letterLabels[name]);
  return {
    titleAr: word('letter.title'),
    confidentialAr: own('confidential'),
    organizationName: shown(child.organizationName),
    schoolName: shown(child.schoolName),
    className: shown(child.className),
    fullNameAr: shown(child.paperNameAr),
    dateAr,
    greetingAr: word('letter.greeting'),
    seen: child.isResolved ? seen(rules, renderer, child) : null,
    home: suggestions && { headingAr: word('letter.home'), suggestions: presentSuggestions(renderer, suggestions) },
    moreData: suggestions ? null : { headingAr: word('letter.moreData'), messageAr: haltMessage(rules, renderer) },
    next: { headingAr: word('letter.next'), sentenceAr: word('letter.next.sentence') },
    signatureAr: teacherName === null ? null : withName(own('teacher'), teacherName),
    slip: {
      headingAr: word('letter.slip'),
      guardianAr: word('letter.slip.guardian'),
      notesAr: word('letter.slip.notes'),
      teacherAr: withName(word('letter.slip.teacher'), teacherName),
    },
  };
}

const withName = (words: string, name: string | null): string => (name === null ? words : `${words}: ${name}`);

/** Returns a name in plain form, or null when it is empty. */
function shown(name: string | null): string | null {
  const plain = plainName(name ?? '');
  return plain === '' ? null : plain;
}

/** Builds the section of measured areas of the grade, each with its newest label. */
function seen(rules: FamilyRules, renderer: FamilyRenderer, child: FamilyFacts): LetterContent['seen'] {
  const word = wordOf(rules, renderer);
  const tiles = gradeTilesOf(rules, child.grade).flatMap((one): LetterTile[] => {
    const { tile, trajectory, points } = presentTile(rules, renderer, one, child);
    const newest = points.at(-1);
    if (!newest) return [];
    const wordsAr = word(`trajectory.${trajectory}`);
    return [
      {
        nameAr: renderer.render(`catalogue/subskills/${tile.code}`, tile.nameAr),
        sentenceAr: word(`sentence.${tile.code}`),
        periodAr: word(`period.${newest.season}`),
        labelAr: newest.labelAr,
        direction: wordsAr === newest.labelAr ? null : { trajectory, wordsAr },
      },
    ];
  });
  return tiles.length === 0 ? null : { headingAr: word('letter.seen'), tiles };
}

const dates = new Map<string, Intl.DateTimeFormat>();

/** Returns the local date in words, with Arabic digits: the only digits of a letter. */
export function dateInWords(instant: Date, timeZone: string): string {
  const format =
    dates.get(timeZone) ??
    new Intl.DateTimeFormat('ar-u-ca-gregory-nu-arab', {
      ...{ timeZone, weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
    });
  dates.set(timeZone, format);
  return format.format(instant);
}
