// From a run to a recommendation in memory: profile and recommendation of one student, and the clusters of a class of 60.

import { skillStatuses } from '../../src/assessment/skill-status/index.ts';
import { loadNewestBundle } from '../../src/rules/rulesets/index.ts';
import {
  compileRecommendation,
  type Recommendation,
} from '../../src/support/interventions/engine/bundles/recommend.ts';
import { compileClusters } from '../../src/support/interventions/engine/clustering/generation.ts';
import type { ClassMember } from '../../src/support/interventions/engine/clustering/partition.ts';
import {
  compileProfiles,
  type EngineProfile,
  type ProfileRules,
} from '../../src/support/interventions/engine/profiles/resolve.ts';
import type { ProfileRun } from '../../src/support/interventions/engine/profiles/run.ts';
import { noPast } from '../../tests/support/interventions/bundles/no-past.ts';
import { assertEqual, type Contender, sideBySide } from '../harness/measure.ts';
import { duration, type Section } from '../harness/report.ts';

const classSize = 60;
const passes = 20;
const grade = 2;

export async function benchInterventions(): Promise<Section> {
  const bundle = await loadNewestBundle('rules');
  const profiles = compileProfiles(bundle);
  const { recommend } = compileRecommendation(bundle);
  const clusters = compileClusters(bundle);
  const runs = Array.from({ length: classSize }, (_, at) => runOf(at, profiles));
  const resolved = runs.map((run) => profiles.resolve(grade, run));
  const recommended = (profile: EngineProfile) =>
    recommend({
      grade,
      tier: 1,
      contextReview: false,
      acuteOpen: false,
      profile,
      open: [],
      past: () => noPast,
      counts: { Level_1: 1, Level_2: 0, Level_3: 1 },
      anchorByOrf: false,
    });
  const members = resolved.map((profile, at) => memberOf(at + 1, profile, recommended(profile)));
  const groups = () => clusters.partition(members, 2);
  assertEqual('the class the other way round', clusters.partition(members.toReversed(), 2), groups());
  const timings = await sideBySide([
    ofClass('a student’s profile', () => runs.map((run) => profiles.resolve(grade, run)), classSize),
    ofClass('a student’s recommendation', () => resolved.map(recommended), classSize),
    ofClass('the groups of a class', groups, 1),
  ]);
  const aims = new Map([
    ['a student’s recommendation', '≤ 1 ms'],
    ['the groups of a class', '≤ 150 ms'],
  ]);
  return {
    title: 'From a run to a plan in memory',
    note: `A class of ${classSize} in grade ${grade}, statuses of all kinds. Asserted: the order of the students changes nothing. The aims hold for reading and writing too, which are not in these numbers.`,
    rows: [...timings].map(([name, time]) => ({ contender: name, result: duration(time), aim: aims.get(name) ?? '' })),
  };
}

const ofClass = (name: string, work: () => unknown, each: number): Contender => ({
  name,
  operations: passes * each,
  run() {
    let last: unknown;
    for (let pass = 0; pass < passes; pass++) last = work();
    return last;
  },
});

/** Returns statuses that differ from student to student, in every domain of the grade. */
function runOf(at: number, { catalogue }: ProfileRules): ProfileRun {
  const inScope = catalogue.subSkills.filter(({ grades }) => grades.includes(grade));
  const statusOf = (index: number) => skillStatuses[(at * 7 + index * 3) % skillStatuses.length] ?? 'adequate';
  const decided = (index: number) => ({ outcome: 'decided', status: statusOf(index) }) as const;
  return {
    contextReview: false,
    subSkills: Object.fromEntries(
      inScope.map(({ code }, index) => [
        code,
        { ...decided(index), reason: 'STRENGTH', nextRecommendedDataAction: null } as const,
      ]),
    ),
    domains: Object.fromEntries(catalogue.domains.map(({ code }, index) => [code, decided(index)])),
    comprehension: { pattern: null, nextRecommendedDataAction: null },
    tiles: {},
  };
}

function memberOf(studentId: number, profile: EngineProfile, found: Recommendation): ClassMember {
  const given = found.outcome === 'recommended' ? found : null;
  return {
    studentId,
    acuteOpen: false,
    dndy: found.facts.dndy,
    profileCode: profile.profileCode,
    recommended_bundle_id: given?.bundle.bundle_id ?? null,
    anchor_skill_group: profile.anchorSkillGroup,
    scaffold_tier: given?.scaffold.scaffoldTier ?? null,
    compatible_delivery_mode: given?.delivery.deliveryMode ?? null,
    dataSufficiency: found.dataSufficiency,
    nextRecommendedDataAction: profile.nextRecommendedDataAction,
    openBundles: [],
    independentRate: 0.5,
  };
}
