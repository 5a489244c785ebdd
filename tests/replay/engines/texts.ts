// Texts for people: the language filter, narratives, family letters and notifications.
import fs from 'node:fs';
import type { TileStatus } from '#assessment/skill-status/index.ts';
import { seededNumbers } from '#core/platform/pure/random.ts';
import { compose, type Payload } from '#messaging/notifications/engine/compose.ts';
import { type MonthRun, seasonRuns } from '#outcomes/parents/engine/seasons.ts';
import { type LetterContent, letterContent } from '#outcomes/parents/letter/content.ts';
import { renderForFamily } from '#outcomes/parents/render-for-family.ts';
import { familyRules } from '#outcomes/parents/rules.ts';
import { checkText, filterOf, firstNameAr, type Tier, tiers } from '#rules/language/index.ts';
import type { Suggestion, TeacherText } from '#support/interventions/narratives/engine/narrative.ts';
import { fillNarrative, unknownVariables } from '#support/interventions/narratives/engine/variables.ts';
import { type NarratedProfile, narratedProfiles } from '#support/interventions/narratives/enums.ts';
import { type RecordedEngine, recorded } from './engine.ts';

interface Text {
  readonly text: string;
  readonly tier: Tier;
}

const language: RecordedEngine<Text> = {
  name: 'language',
  questions: () => {
    const texts = ['family', 'staff', 'student'].flatMap((set) => {
      const file = fs.readFileSync(`rules/language/${set}/1.golden.json`, 'utf8');
      return (JSON.parse(file) as { readonly cases: readonly Text[] }).cases;
    });
    const [first = { text: '', tier: 'student' as const }] = texts;
    const questions = [...texts, ...tiers.map((tier) => ({ ...first, tier }))];
    return questions.map(({ text, tier }, at) => ({ id: `${at}`, input: { text, tier } }));
  },
  compile: (bundle) => {
    return ({ text, tier }) => checkText(bundle, text, tier);
  },
};

interface Family {
  readonly fullNameAr: string;
  readonly grade: number;
  readonly runs: readonly MonthRun[];
  readonly suggestions:
    | readonly { readonly textId: string; readonly titleAr: string; readonly bodyAr: string }[]
    | null;
  readonly isResolved: boolean;
}

const statuses: readonly TileStatus[] = [
  ...(['Meets', 'Approaching', 'Below', 'Severe', 'Partial', 'Contextual', 'Not_Assessed'] as const),
];
const tileCodes = ['FOUNDATIONS', 'WORD_READING', 'FLUENCY', 'VOCABULARY', 'COMPREHENSION'];

function family(at: number): Family {
  const next = seededNumbers(at + 1);
  const runs = [9, 10, 1, 2, 5].slice(0, 1 + (at % 5)).map((month, place) => ({
    ...{ month, seq: place + 1, halted: at % 5 === 2 && place === at % 5, isMeasured: place !== 1 },
    tiles: tileCodes.map((tileCode) => ({ tileCode, status: statuses[Math.floor(next() * 7)] ?? 'Meets' })),
  }));
  const suggestions = [{ textId: 'T', titleAr: 'لنقرأ معًا', bodyAr: 'اجلسوا مع {{firstNameAr}} عشر دقائق كل يوم.' }];
  return {
    ...{ fullNameAr: ['ليان أحمد', 'عمر خالد', 'ضعيف سالم', ''][at % 4] ?? '', grade: 1 + (at % 4), runs },
    ...{ suggestions: at % 3 ? suggestions : null, isResolved: at % 3 !== 0 },
  };
}

/** The shape that a letter had when these were recorded. Its sentences are compared, not how they are stored. */
function asRecorded(letter: LetterContent, firstNameAr: string) {
  const { titleAr, schoolName, className, dateAr, greetingAr, seen, home, moreData, next, slip } = letter;
  const tiles = seen?.tiles.map(({ nameAr, sentenceAr, labelAr, direction }) => {
    const { trajectory, wordsAr } = direction ?? { trajectory: 'more_data_needed', wordsAr: labelAr };
    return { nameAr, sentenceAr, labelAr, trajectory, trajectoryAr: wordsAr };
  });
  const [teacherAr, teacherName = null] = slip.teacherAr.split(': ');
  return {
    ...{ titleAr, schoolName, className, dateAr, firstNameAr, greetingAr },
    seen: seen && { headingAr: seen.headingAr, tiles },
    ...{ home, moreData, next, slip: { ...slip, teacherAr, teacherName } },
  };
}

const families: RecordedEngine<Family> = {
  name: 'families',
  questions: () => Array.from({ length: 16 }, (_, at) => ({ id: `${at}`, input: family(at) })),
  compile: (bundle) => {
    const rules = familyRules(bundle);
    const speak = renderForFamily(bundle);
    // Names became data after the first recording. Until then, a name that the filter rejected was left out.
    const isSafe = (name: string) => filterOf(bundle).check(name, 'parent_stricter')?.safe === true;
    const rendererFor = (fullNameAr: string) => speak(isSafe(firstNameAr(fullNameAr, 'family')) ? fullNameAr : '');
    return ({ fullNameAr, grade, runs, suggestions, isResolved }) => {
      const child = {
        ...{ studentId: 1, fullNameAr, grade, className: 'ب', schoolName: 'مدرسة النور', teacherName: 'هدى' },
        ...{ paperNameAr: fullNameAr, organizationName: 'مؤسسة البيان' },
        ...{ timeZone: 'Asia/Riyadh', halted: runs.at(-1)?.halted ?? false, suggestions, isResolved },
        seasons: seasonRuns(runs, rules.calendar.seasons),
      };
      return asRecorded(
        letterContent(rules, rendererFor(fullNameAr), child, '٤ أكتوبر ٢٠٢٦'),
        rendererFor(fullNameAr).firstNameAr,
      );
    };
  },
};

interface NarrativesDocument {
  readonly narratives: readonly { readonly profileCode: NarratedProfile; readonly teacher: TeacherText }[];
  readonly suggestions: readonly Suggestion[];
}

interface NarrativeInput {
  readonly profileCode: NarratedProfile;
  readonly firstNameAr: string | null;
  readonly domainNameAr: string | null;
}

/** The shipped texts of a profile, filled with the names of a student and a domain. */
const narratives: RecordedEngine<NarrativeInput> = {
  name: 'narratives',
  questions: () =>
    narratedProfiles.flatMap((profileCode) => [
      { id: `${profileCode}, named`, input: { profileCode, firstNameAr: 'ليان', domainNameAr: 'فك الترميز' } },
      { id: `${profileCode}, without a domain`, input: { profileCode, firstNameAr: 'ليان', domainNameAr: null } },
    ]),
  compile: (bundle) => {
    const document = bundle.values<NarrativesDocument>('profile/narratives');
    return ({ profileCode, ...words }) => {
      const own = document.narratives.filter((one) => one.profileCode === profileCode);
      const { suggestions } = document;
      const slot = { profileCode, audience: 'parent', window: 'ANY', titleAr: null, bodyAr: null } as const;
      return {
        teacher: own.map(({ teacher: { titleAr, bodyAr } }) =>
          [titleAr, bodyAr].map((template) => fillNarrative(template, (name) => words[name])),
        ),
        parent: suggestions.map(({ bodyAr }) => fillNarrative(bodyAr, (name) => words[name])),
        unknown: unknownVariables({ ...slot, suggestions }),
      };
    };
  },
};

interface Notice {
  readonly kind: string;
  readonly payload: Payload;
  readonly persona: string;
}

const notifications: RecordedEngine<Notice> = {
  name: 'notifications',
  questions: () =>
    fs.readdirSync('rules/notification').flatMap((key) => {
      const file = fs.readFileSync(`rules/notification/${key}/1.golden.json`, 'utf8');
      const { kind } = JSON.parse(fs.readFileSync(`rules/notification/${key}/1.json`, 'utf8')) as Notice;
      const { cases } = JSON.parse(file) as { readonly cases: readonly (Notice & { readonly name: string })[] };
      return cases.flatMap(({ name, payload }) =>
        ['TEACHER', 'PARENT'].map((persona) => ({
          id: `${kind}, ${name}, ${persona}`,
          input: { kind, payload, persona },
        })),
      );
    }),
  compile: (bundle) => {
    const lookup = { fullName: () => 'ليان أحمد', timeZone: 'Asia/Riyadh' };
    return ({ kind, payload, persona }) => {
      const outcome = compose(bundle, { kind, payload }, { persona, isActive: true }, lookup);
      if (!('composed' in outcome)) return outcome;
      const { tier, titleAr, bodyAr, ruleVersions } = outcome.composed;
      return { tier, titleAr, bodyAr, ruleVersions };
    };
  },
};

export const textEngines = [recorded(language), recorded(narratives), recorded(families), recorded(notifications)];
