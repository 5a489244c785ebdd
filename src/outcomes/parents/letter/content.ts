// Everything that a letter says, once for the page on paper and the page on a screen: sentences as the filter lets them through,
// names as they are.
import { plainName } from '#rules/language/index.ts';
import type { Trajectory } from '../engine/enums.ts';
import type { FamilyFacts } from '../facts/read.ts';
import { haltMessage, saidSuggestions, tilesOf, toldTile, wordOf } from '../portal/present.ts';
import type { FamilyRules } from '../rules.ts';
import type { Voice } from '../voice.ts';
import { letterLabels } from './labels.ts';

export interface LetterTile {
  readonly nameAr: string;
  /** One plain sentence on the skill. */
  readonly sentenceAr: string;
  /** The season in which it was seen. */
  readonly periodAr: string;
  readonly labelAr: string;
  /** Null where it would say what the label says. */
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
  /** Null for a child who never was in a class. */
  readonly schoolName: string | null;
  readonly className: string | null;
  readonly dateAr: string;
  /** With what tells the child from another one of the class. */
  readonly fullNameAr: string | null;
  readonly greetingAr: string;
  /** Null where there is nothing to tell. */
  readonly seen: { readonly headingAr: string; readonly tiles: readonly LetterTile[] } | null;
  /** Suggestions, or why there are none. */
  readonly home: { readonly headingAr: string; readonly suggestions: readonly LetterSuggestion[] } | null;
  readonly moreData: { readonly headingAr: string; readonly messageAr: string } | null;
  readonly next: { readonly headingAr: string; readonly sentenceAr: string };
  /** Of the PRIMARY teacher, who signs. */
  readonly signatureAr: string | null;
  readonly slip: {
    readonly headingAr: string;
    readonly guardianAr: string;
    readonly notesAr: string;
    /** With the name of the PRIMARY teacher, where there is one. */
    readonly teacherAr: string;
  };
}

/** `date`: the local day, in words. Throws UnsafeSentence. */
export function letterContent(rules: FamilyRules, voice: Voice, child: FamilyFacts, dateAr: string): LetterContent {
  const word = wordOf(rules, voice);
  const { suggestions } = child;
  const teacherName = shown(child.teacherName);
  const own = (name: keyof typeof letterLabels) => voice.say(`parents/letter/${name}`, letterLabels[name]);
  return {
    titleAr: word('letter.title'),
    confidentialAr: own('confidential'),
    organizationName: shown(child.organizationName),
    schoolName: shown(child.schoolName),
    className: shown(child.className),
    fullNameAr: shown(child.paperNameAr),
    dateAr,
    greetingAr: word('letter.greeting'),
    seen: child.isResolved ? seen(rules, voice, child) : null,
    home: suggestions && { headingAr: word('letter.home'), suggestions: saidSuggestions(voice, suggestions) },
    moreData: suggestions ? null : { headingAr: word('letter.moreData'), messageAr: haltMessage(rules, voice) },
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

/** Names are data. */
function shown(name: string | null): string | null {
  const plain = plainName(name ?? '');
  return plain === '' ? null : plain;
}

/** The areas of the grade that were measured, each with the newest label. */
function seen(rules: FamilyRules, voice: Voice, child: FamilyFacts): LetterContent['seen'] {
  const word = wordOf(rules, voice);
  const tiles = tilesOf(rules, child.grade).flatMap((one): LetterTile[] => {
    const { tile, trajectory, points } = toldTile(rules, voice, one, child);
    const newest = points.at(-1);
    if (!newest) return [];
    const wordsAr = word(`trajectory.${trajectory}`);
    return [
      {
        nameAr: voice.say(`catalogue/subskills/${tile.code}`, tile.nameAr),
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

/** The day as it is said, its numbers in Arabic digits: the only ones of a letter. */
export function dateInWords(instant: Date, timeZone: string): string {
  const format =
    dates.get(timeZone) ??
    new Intl.DateTimeFormat('ar-u-ca-gregory-nu-arab', {
      ...{ timeZone, weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
    });
  dates.set(timeZone, format);
  return format.format(instant);
}
