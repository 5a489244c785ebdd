// Letters to families: for the youngest and the oldest, for a student who needs more data, and for a whole class.

import type { TileStatus } from '#assessment/skill-status/index.ts';
import type { FamilyFacts } from '#outcomes/parents/facts/family-facts.ts';
import { type LetterContent, letterContent } from '#outcomes/parents/letter/content.ts';
import { letterPage } from '#outcomes/parents/letter/html.ts';
import { letterPart, printLetters } from '#outcomes/parents/letter/paper.ts';
import { renderForFamily } from '#outcomes/parents/render-for-family.ts';
import { type FamilyRules, familyRules } from '#outcomes/parents/rules.ts';
import { paperNames } from '#rules/language/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { drawing, hardNames, longName, personName } from './people.ts';
import type { Sample } from './sample.ts';

const localDay = '2026-01-15';
const dateAr = 'الخميس، ١٥ يناير ٢٠٢٦';

type Season = readonly TileStatus[];

interface SampleStudent {
  readonly fullNameAr: string;
  readonly grade: number;
  /** The statuses of the tiles in their order, for each season. */
  readonly seasons: readonly Season[];
  readonly suggestions: number | null;
  readonly paperNameAr?: string;
  readonly className?: string;
  readonly schoolName?: string;
  readonly teacherName?: string | null;
}

interface Texts {
  readonly suggestions: readonly {
    readonly suggestionCode: string;
    readonly titleAr: string;
    readonly bodyAr: string;
  }[];
}

/** Returns the longest suggestions, so that a page shows the most that it must contain. */
const suggestionsIn = (rules: RuleBundle, count: number) =>
  rules
    .values<Texts>('profile/narratives')
    .suggestions.toSorted((one, other) => other.bodyAr.length - one.bodyAr.length)
    .slice(0, count)
    .map(({ suggestionCode, titleAr, bodyAr }) => ({ textId: suggestionCode, titleAr, bodyAr }));

const months = [
  { season: 'BOY', month: 10 },
  { season: 'MOY', month: 1 },
] as const;

function factsOf(rules: FamilyRules, sample: SampleStudent): FamilyFacts {
  const { fullNameAr, grade, suggestions } = sample;
  const seasons = sample.seasons.flatMap((values, at) => {
    const month = months[at];
    const tiles = rules.tiles.map(({ code }, no) => ({
      tileCode: code,
      status: values[no] ?? ('Not_Assessed' as const),
    }));
    return month === undefined
      ? []
      : [{ season: month.season, run: { month: month.month, seq: at + 1, halted: false, tiles, isMeasured: true } }];
  });
  return {
    studentId: 1,
    fullNameAr,
    grade,
    seasons,
    halted: false,
    timeZone: 'Asia/Riyadh',
    organizationName: 'مؤسسة البيان للتعليم',
    paperNameAr: sample.paperNameAr ?? fullNameAr,
    className: sample.className ?? 'الثاني (2ب)',
    schoolName: sample.schoolName ?? 'مدرسة النور',
    teacherName: sample.teacherName === undefined ? 'سارة القحطاني' : sample.teacherName,
    isResolved: suggestions !== null,
    suggestions: suggestions === null ? null : suggestionsIn(rules.bundle, suggestions),
  };
}

function lettersOf(bundle: RuleBundle, sample: readonly SampleStudent[]): readonly LetterContent[] {
  const rules = familyRules(bundle);
  const rendererFor = renderForFamily(bundle);
  return sample.map((one) => letterContent(rules, rendererFor(one.fullNameAr), factsOf(rules, one), dateAr));
}

function printed(bundle: RuleBundle, sample: readonly SampleStudent[]): Promise<Buffer> {
  const letters = lettersOf(bundle, sample);
  return printLetters(letters[0]?.titleAr ?? '', letters.map(letterPart), localDay);
}

const [good, fair, low, least] = ['Meets', 'Approaching', 'Below', 'Severe'] as const;

const youngest: SampleStudent = {
  fullNameAr: 'نُورَةُ العتيبي',
  grade: 1,
  suggestions: 3,
  className: 'الأول أ',
  teacherName: null,
  seasons: [[fair, low]],
};
const oldest: SampleStudent = {
  fullNameAr: 'عبد الرحمن بن عبد العزيز آل خليفة',
  grade: 4,
  suggestions: 5,
  className: 'الرابع (4ج)',
  schoolName: 'مدرسة الملك عبد العزيز بن عبد الرحمن الابتدائية المشتركة للتعليم الأساسي والتحفيظ بحي الروضة',
  teacherName: 'نُورُ الهُدَى بنت عبد الله بن محمد الحسيني الهاشمي',
  seasons: [
    [good, low, least, fair, 'Partial', good],
    [good, fair, least, low, fair, 'Contextual'],
  ],
};
const longest: SampleStudent = {
  ...oldest,
  fullNameAr: longName,
  className: 'الرابع (4ج) '.repeat(16).trim(),
  teacherName: longName,
  schoolName: 'مدرسة الملك عبد العزيز بن عبد الرحمن الابتدائية المشتركة '.repeat(4).slice(0, 200).trim(),
};
const waiting: SampleStudent = { fullNameAr: 'هند العتيبي', grade: 2, seasons: [], suggestions: null };

const values = { Meets: 4, Approaching: 3, Below: 2, Severe: 1, Partial: 1 } as const;

function classOf(size: number): SampleStudent[] {
  const draw = drawing<keyof typeof values>(7);
  const season = (): Season => Array.from({ length: 6 }, () => draw(values));
  const people = Array.from({ length: size }, (_, at) => ({
    studentId: at,
    fullNameAr: hardNames[at] ?? personName(at),
  }));
  const onPaper = paperNames(people);
  return people.map(({ studentId: at, fullNameAr }) => ({
    fullNameAr,
    paperNameAr: onPaper.get(at)?.fullNameAr ?? '',
    grade: 3,
    className: 'الثالث ب',
    ...(at % 9 === 4
      ? { seasons: [], suggestions: null }
      : { seasons: [season(), season()], suggestions: 1 + (at % 5) }),
  }));
}

export const letterSamples = (bundle: RuleBundle): readonly Sample[] => [
  { name: 'letter.pdf', make: () => printed(bundle, [oldest]) },
  { name: 'letter-longest-names.pdf', make: () => printed(bundle, [longest]) },
  { name: 'letter-first-season.pdf', make: () => printed(bundle, [youngest]) },
  { name: 'letter-more-data.pdf', make: () => printed(bundle, [waiting]) },
  { name: 'letters-of-a-class.pdf', make: () => printed(bundle, classOf(35)) },
  ...lettersOf(bundle, [oldest]).map((letter) => ({
    name: 'letter.html',
    make: async () => Buffer.from(letterPage(letter)),
  })),
];
