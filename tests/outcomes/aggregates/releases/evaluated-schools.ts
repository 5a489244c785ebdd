// Schools whose children were evaluated, written past the engine by the owner of the tables: the test says in which band each
// child is, and so knows what is counted.
import { randomUUID } from 'node:crypto';
import type { Db } from '#core/platform/db.ts';
import { countingCatalogue } from '#outcomes/aggregates/catalogue.ts';
import { loadNewestBundle } from '#rules/rulesets/files.ts';
import { buildClass, buildOrganization, buildSchool, type Insert } from '../../../harness/factories.ts';

export const { tiles } = countingCatalogue(await loadNewestBundle('rules'));

export interface EvaluatedClass {
  readonly id: number;
  readonly schoolId: string;
  readonly students: readonly number[];
}

export interface EvaluatedSchool {
  readonly id: string;
  readonly classes: readonly EvaluatedClass[];
}

export interface EvaluatedSchools {
  readonly organizationId: string;
  readonly schools: readonly EvaluatedSchool[];
}

/** `sizes`: of the classes of each school. All of grade 2. */
export async function buildSchools(
  owner: Db,
  sizes: readonly (readonly number[])[],
  { organization = {}, school = {} }: { readonly organization?: Insert; readonly school?: Insert } = {},
): Promise<EvaluatedSchools> {
  const { id: organizationId } = await buildOrganization(owner, organization);
  const schools: EvaluatedSchool[] = [];
  for (const ofSchool of sizes) {
    const { id: schoolId } = await buildSchool(owner, { organizationId, ...school });
    const classes: EvaluatedClass[] = [];
    for (const [at, size] of ofSchool.entries()) {
      const { id } = await buildClass(owner, { organizationId, schoolId, grade: 2, name: `2-${at}` });
      classes.push({ id, schoolId, students: await buildStudents(owner, organizationId, id, size) });
    }
    schools.push({ id: schoolId, classes });
  }
  return { organizationId, schools };
}

export async function buildStudents(owner: Db, organizationId: string, classId: number, many: number) {
  if (many === 0) return [];
  const person = { organizationId, scope: 'ORGANIZATION', primaryPersona: 'STUDENT', fullNameAr: 'طالب', email: null };
  const rows = Array.from({ length: many }, () => ({ ...person, createdAt: new Date('2025-08-01T00:00:00.000Z') }));
  const stored: { id: number }[] = await owner('app_user').insert(rows).returning('id');
  const students = stored.map(({ id }) => id);
  const enrolled = students.map((studentId) => ({ organizationId, studentId, classId, enrolledFrom: '2025-08-31' }));
  await owner('enrollment').insert(enrolled);
  return students;
}

export interface Judgement {
  readonly studentId: number;
  /** In every tile, or by tile code; a tile that is left out was not measured. */
  readonly bands: string | Readonly<Record<string, string>>;
  /** A profile was found. */
  readonly sufficient?: boolean;
}

/** One session each, at a moment of the school year 2025-2026 by default. */
export async function storeEvaluations(
  owner: Db,
  organizationId: string,
  evaluations: readonly Judgement[],
  { at, schoolYear = '2025-2026' }: { readonly at: string; readonly schoolYear?: string },
): Promise<void> {
  const [bundle] = await owner('rule_bundle').select('id').limit(1);
  const of = { organizationId, schoolYear };
  const evaluated = evaluations.map(({ bands, ...rest }) => {
    const byTile = typeof bands === 'string' ? Object.fromEntries(tiles.map((tile) => [tile.tileCode, bands])) : bands;
    return { ...rest, byTile, runId: randomUUID() };
  });
  const runs = evaluated.map(({ runId, studentId, byTile }) => ({
    ...{
      ...of,
      ...ofRun,
      id: runId,
      studentId,
      asOf: at,
      windowFrom: at,
      windowTo: at,
      createdAt: at,
      bundleId: bundle.id,
    },
    tiles: JSON.stringify(Object.entries(byTile).map(([tileCode, status]) => ({ tileCode, status }))),
  }));
  const snapshots = evaluated.flatMap(({ runId, studentId, byTile }) =>
    tiles.flatMap(({ tileCode, subSkills: [subSkillCode = ''] }) =>
      byTile[tileCode] === undefined
        ? []
        : {
            ...of,
            ...ofSnapshot,
            runId,
            studentId,
            subSkillCode,
            decidedAt: at,
            newestUnitRef: `${runId}/1`,
            bundleId: bundle.id,
          },
    ),
  );
  const profiles = evaluated
    .filter(({ sufficient }) => sufficient)
    .map(({ runId, studentId }) => ({ ...of, ...ofProfile, runId, studentId, resolvedAt: at }));
  await owner.batchInsert('sse_run', runs, 500);
  await owner.batchInsert('sse_skill_snapshot', snapshots, 1000);
  await owner.batchInsert('profile_assignment', profiles, 1000);
}

const ofRun = {
  ...{ trigger: 'diagnostic_finished', triggerRef: null, grade: 2, contextReview: false, outcome: 'decided' },
  ...{ halted: false, nextDataAction: null, evaluatedSubSkills: [], input: '{}', inputHash: '', resultHash: '' },
  ...{ responseRuleIds: [], responseCodes: [], ruleVersions: { 'ssr/ssr': 4 } },
};

const ofSnapshot = {
  ...{ facts: '{}', cisRuleId: '', pacRuleId: '', ssrRuleId: '', pacDecision: 'decide', pacReason: '' },
  ...{ outcome: 'decided', status: 'Secure', confidence: 'High', decisionStrength: 'Strong', modifiers: [] },
  ...{ nextDataAction: null, itemsNeeded: null, leadingMicroPattern: null, codeCounts: '{}' },
  ...{ calibrationProvisional: false, ruleVersion: 'SSR@4' },
};

const ofProfile = {
  ...{ ruleId: 'PRF-01', profileCode: 'P', outcome: 'resolved', modifiers: [], anchorSkillGroup: 'decoding' },
  ...{ anchorRole: null, anchorDomainCode: null, anchorSubSkillCode: null, nextRecommendedDataAction: null },
  ...{ ruleVersions: {}, facts: {} },
};
