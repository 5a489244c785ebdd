// Presents the results of a dry run level by level, and its differences in one list.

import type { StudentInScope } from '#identity/people/index.ts';
import type { Catalogue } from '#rules/catalogue/index.ts';
import type { Versions } from '#rules/rulesets/index.ts';
import type { StudentEvaluation } from '../engine/evaluate.ts';
import { domainContents, runTilesOf, skillContents } from '../results/rows.ts';
import { comparableDomain, comparableSkill, comparableTile, comparedBy, mismatchesOf } from './compare.ts';
import type { StoredResults } from './stored-state.ts';

interface Frame {
  readonly student: StudentInScope;
  readonly ruleVersions: Versions;
  readonly catalogue: Catalogue;
  readonly stored: StoredResults | undefined;
}

export function presentDryRun(evaluation: StudentEvaluation, frame: Frame) {
  const stamp = stampOf(frame);
  const skills = comparedBy(subSkillCodes(evaluation, frame), (row) => row.subSkillCode, comparableSkill, {
    derived: skillContents(stamp, evaluation, new Set()),
    stored: frame.stored?.skills,
  });
  const ofDomains = { derived: domainContents(stamp, evaluation), stored: frame.stored?.domains };
  const domainCodes = ofDomains.derived.map(({ domainCode }) => domainCode);
  const domains = comparedBy(domainCodes, (row) => row.domainCode, comparableDomain, ofDomains);
  const ofTiles = { derived: runTilesOf(evaluation), stored: frame.stored?.tiles };
  const tileCodes = ofTiles.derived.map(({ tileCode }) => tileCode);
  const tiles = comparedBy(tileCodes, (row) => row.tileCode, comparableTile, ofTiles);
  const mismatches = [
    ...mismatchesOf('sub_skill', skills),
    ...mismatchesOf('domain', domains),
    ...mismatchesOf('tile', tiles),
  ];
  return {
    subSkills: skills.map(({ code, ...rest }) => ({ subSkillCode: code, ...rest })),
    domains: domains.map(({ code, ...rest }) => ({ domainCode: code, ...rest })),
    tiles: tiles.map(({ code, ...rest }) => ({ tileCode: code, ...rest })),
    mismatches,
    mismatchCount: mismatches.length,
  };
}

/** The stamp of rows that exist for presentation only and belong to no run. */
const stampOf = ({ student: { id: studentId, organizationId }, ruleVersions }: Frame) => ({
  id: '',
  organizationId,
  studentId,
  schoolYear: '',
  asOf: '',
  ruleVersions,
  bundleId: '',
});

/** Returns the sub-skills in scope now or evaluated by the stored run, in catalogue order. */
function subSkillCodes({ subSkills }: StudentEvaluation, { catalogue, stored }: Frame): string[] {
  const seen = new Set([...subSkills.map(({ subSkill }) => subSkill.code), ...(stored?.run.evaluatedSubSkills ?? [])]);
  const known = catalogue.subSkills.map(({ code }) => code).filter((code) => seen.delete(code));
  return [...known, ...seen];
}
