// Class reports: the youngest and the oldest, a full class, one that is too full, a small one and an empty one.

import type { NextDataAction } from '#assessment/skill-status/index.ts';
import { renderPdf } from '#core/platform/pdf/printer.ts';
import { bandDescriptions, type StudentBand } from '#outcomes/aggregates/index.ts';
import { printedClassReport } from '#outcomes/reports/pages/class-report.ts';
import type { ClassReport } from '#outcomes/reports/pages/class-report-facts.ts';
import { actionsAr, classLabels, gradesAr } from '#outcomes/reports/pages/labels.ts';
import type { CatalogueDocument } from '#rules/catalogue/index.ts';
import { firstNameAr, paperNames, staffName } from '#rules/language/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { drawing, hardNames, personName } from './people.ts';
import type { Sample } from './sample.ts';

interface SampleClass {
  readonly grade: number;
  readonly className: string;
  readonly teachers: readonly string[];
  readonly size: number;
  readonly seed: number;
}

const weights = { Meets: 6, Approaching: 5, Below: 3, Severe: 2, Partial: 1, Contextual: 1, Not_Assessed: 1 } as const;
const versions = [
  ...['ADR@2', 'CBM@1', 'DDR@2', 'DSM@2', 'DTH@1', 'PAC@2', 'RBM@1', 'SSR@1', 'band-descriptions/teacher@1'],
  ...['catalogue/subskills@2', 'content/item-bank@3', 'cis/thresholds@1', 'scoring/eap@1'],
];
const byName = new Intl.Collator('ar').compare;
const groupTitles = ['الوعي الصوتي', 'فك الترميز', 'الطلاقة القرائية'].map(
  (skill) => `نشاط متابعة داخل الصف – ${skill}`,
);

const shortOf = (name: string): string =>
  /\(.\)/u.test(name) ? name : `${firstNameAr(name, 'staff')} … ${name.split(' ').at(-1)}`;

function reportOf(bundle: RuleBundle, { size, seed, grade, ...sample }: SampleClass): ClassReport {
  const { tiles } = bundle.values<CatalogueDocument>('catalogue/subskills');
  const bands = bandDescriptions(bundle, 'teacher');
  const draw = drawing<StudentBand>(seed);
  const people = Array.from({ length: size }, (_, at) => ({
    studentId: at,
    fullNameAr: (size < 60 ? undefined : hardNames[at]) ?? personName(at + seed),
  })).sort((one, other) => byName(one.fullNameAr, other.fullNameAr));
  const onPaper = paperNames(people);
  const names = people.map(({ studentId }) => {
    const name = onPaper.get(studentId) ?? { fullNameAr: '', isShared: false };
    return staffName(name, `S-${1000 + studentId}`);
  });
  const isWaiting = (at: number) => at % 11 === 5;
  const students = names.map((name, at) => ({
    name,
    shortName: shortOf(name),
    bands: tiles.map((): StudentBand => (isWaiting(at) ? 'More_Data' : draw(weights))),
  }));
  return {
    ...sample,
    organizationName: 'مؤسسة البيان للتعليم',
    schoolName: 'مدرسة النور الابتدائية',
    gradeAr: gradesAr[grade - 1] ?? '',
    schoolYear: '2025-2026',
    asOf: size === 0 ? null : '2026/1/15، الساعة 09:41',
    madeAt: new Date('2026-01-15T06:41:00Z'),
    versions,
    bands,
    tiles: tiles.map(({ ar }) => ar),
    students,
    ...waitingOf(
      names,
      tiles.map(({ ar }) => ar),
      isWaiting,
    ),
    movements:
      size < 5
        ? []
        : movementsOf(
            tiles.map(({ ar }) => ar),
            size,
          ),
    groups: size < 5 ? [] : groupsOf(names),
  };
}

/** Returns the students without results: every eleventh has none, every third one has open areas. */
function waitingOf(
  names: readonly string[],
  tiles: readonly string[],
  isWaiting: (at: number) => boolean,
): Pick<ClassReport, 'waiting' | 'allMinutes'> {
  const actions = Object.keys(actionsAr) as NextDataAction[];
  const waiting = names.flatMap((name, at) => {
    const isHalted = isWaiting(at);
    if (!isHalted && at % 3 !== 0) return [];
    const action = actions[at % actions.length] ?? 'run_diagnostic';
    const unmeasured = isHalted ? tiles : tiles.slice(2 + (at % 3));
    const actionAr = isHalted ? actionsAr[action] : classLabels.measureAreas;
    return { name, isHalted, unmeasured, isComplete: isHalted, actionAr, minutes: at % 4 === 3 ? null : 15 + at * 2.5 };
  });
  return { waiting, allMinutes: waiting.reduce((sum, { minutes }) => sum + (minutes ?? 0), 0) };
}

const movementsOf = (tiles: readonly string[], size: number): ClassReport['movements'] =>
  tiles.flatMap((tileAr, at) => [
    { tileAr, from: 'Below', to: 'Approaching', count: (size % 7) + at + 1 },
    { tileAr, from: 'Severe', to: 'Below', count: at + 1 },
    { tileAr, from: 'Not_Assessed', to: 'Meets', count: 2 },
  ]);

const groupsOf = (names: readonly string[]): ClassReport['groups'] =>
  groupTitles.map((titleAr, at) => {
    const own = names.filter((_, no) => no % (groupTitles.length + 1) === at);
    return { titleAr, members: [own.slice(0, 6), own.slice(6)].filter((members) => members.length > 0) };
  });

const classes: Readonly<Record<string, SampleClass>> = {
  'class-report.pdf': {
    grade: 2,
    className: 'الثاني (2ب)',
    teachers: ['سارة القحطاني', 'نُورُ الهُدَى'],
    size: 35,
    seed: 3,
  },
  'class-report-first-grade.pdf': { grade: 1, className: 'الأول أ', teachers: ['مريم حداد'], size: 4, seed: 11 },
  'class-report-fourth-grade-of-60.pdf': {
    grade: 4,
    className: 'الرابع (4C) صباحي',
    size: 60,
    seed: 5,
    teachers: ['عبد الرحمن بن عبد العزيز آل خليفة', 'سلمى أبو زيد', 'Sara Ali'],
  },
  'class-report-empty.pdf': { grade: 3, className: 'الثالث', teachers: [], size: 0, seed: 1 },
};

export const classSamples = (bundle: RuleBundle): readonly Sample[] =>
  Object.entries(classes).map(([name, sample]) => ({
    name,
    make: () => renderPdf(printedClassReport(reportOf(bundle, sample))),
  }));
