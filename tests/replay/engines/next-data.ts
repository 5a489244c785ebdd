// What to measure next for a student whose run has left a question open, and the anonymous short test.

import { teaserContent } from '#assessment/content/index.ts';
import { formsOfGrade } from '#assessment/measurement/diagnostics/engine/forms.ts';
import { readThresholds } from '#assessment/measurement/index.ts';
import { readMeasurementValues } from '#assessment/measurement/scoring/engine/values.ts';
import type { Halt } from '#assessment/skill-status/next-data/engine/needs.ts';
import { planFor } from '#assessment/skill-status/next-data/engine/student-plan.ts';
import { scoreTeaser } from '#assessment/teaser/engine/score.ts';
import { readTeaserValues } from '#assessment/teaser/engine/values.ts';
import { compileCatalogue, compileRoles } from '#rules/catalogue/index.ts';
import { banks } from './diagnostics.ts';
import { type RecordedEngine, recorded } from './engine.ts';

interface Left {
  readonly bankVersion: number;
  readonly grade: number | null;
  readonly halts: readonly Halt[];
  readonly decidedDomains: readonly string[];
}

const halts: readonly Halt[] = [
  { subSkillCode: 'PA_SYLLABLE', reason: 'INSUFFICIENT_ITEMS', action: 'administer_more_items', distinctItems: 2 },
  { subSkillCode: 'DEC_WORD', reason: 'CONFLICTING_EVIDENCE', action: 'repeat_diagnostic', distinctItems: 9 },
  { subSkillCode: 'FLU_TEXT', reason: 'NO_EVIDENCE', action: 'administer_orf', distinctItems: 0 },
];

const nextData: RecordedEngine<Left> = {
  name: 'next-data',
  questions: () =>
    [null, 1, 2, 3, 4].flatMap((grade) =>
      [0, 1, 2, 3].map((count) => ({
        id: `grade ${grade}, ${count} halts`,
        input: {
          ...{ bankVersion: banks.currentVersion, grade, halts: halts.slice(0, count) },
          decidedDomains: ['PA', 'LK', 'DEC'].slice(0, count),
        },
      })),
    ),
  compile: (bundle) => {
    const catalogue = compileCatalogue(bundle);
    const values = readMeasurementValues(bundle);
    const rules = {
      ...{
        catalogue,
        roles: compileRoles(bundle, catalogue),
        needLimits: readThresholds(bundle),
        selectionLimits: values,
      },
      formsOf: (grade: number) => formsOfGrade(grade, catalogue.subSkills, values),
    };
    return async ({ bankVersion, decidedDomains, ...left }) => {
      const bank = await banks.version(bankVersion);
      const facts = { ...left, decidedDomains: new Set(decidedDomains), seenItemIds: new Set<string>() };
      return planFor(facts, { ...rules, bank });
    };
  },
};

interface Short {
  readonly contentVersion: number;
  readonly grade: number;
  /** One letter for each item: right, wrong, skipped. */
  readonly answers: string;
}

const items = teaserContent();

const teaser: RecordedEngine<Short> = {
  name: 'teaser',
  questions: () =>
    [1, 2, 3, 4].flatMap((grade) =>
      [0, 2, 5, 7, 10].map((right) => {
        const answers = 'R'.repeat(right) + 'WS'.repeat(5).slice(right);
        return { id: `grade ${grade}, ${right} right`, input: { contentVersion: 2, grade, answers } };
      }),
    ),
  compile: (bundle) => {
    const values = readTeaserValues(bundle);
    return async ({ contentVersion, grade, answers }) => {
      const own = [...(await items(contentVersion)).values()].filter((item) => item.grade === grade);
      const chosen = own.flatMap(({ id, correctIndex }, at): [string, number][] => {
        if (answers[at] === 'S' || answers[at] === undefined) return [];
        return [[id, answers[at] === 'R' ? correctIndex : correctIndex + 1]];
      });
      const { theta, band } = scoreTeaser(own, new Map(chosen), values);
      return { theta, band: band.band };
    };
  },
};

export const measureEngines = [recorded(nextData), recorded(teaser)];
