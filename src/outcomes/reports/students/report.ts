// The sub-skill report of a student. For a halted student it contains the next measurement instead of statuses.

import { countVoids } from '#assessment/measurement/index.ts';
import { readDomainStatus, readSkillStatus } from '#assessment/skill-status/index.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { lastGrade, type StudentInScope, User } from '#identity/people/index.ts';
import { type CatalogueDocument, schoolYearOf } from '#rules/catalogue/index.ts';
import { knownOf, recommendedProfileOf } from '#support/interventions/index.ts';
import { lastMeasuredOn } from './measured-on.ts';

type Skills = Awaited<ReturnType<typeof readSkillStatus>>['body'];
type Domains = Awaited<ReturnType<typeof readDomainStatus>>['body'];

export async function subSkillReport(services: Services, trx: Trx, student: StudentInScope, now: Date) {
  const { body: skills } = await readSkillStatus(services, trx, student, now);
  const { body: domains } = await readDomainStatus(services, trx, student, now);
  const { profile, schoolYear } = await profileNow(services, trx, student, now);
  const isHalted = skills.halted;
  return {
    student: { id: student.id, fullNameAr: await fullNameOf(trx, student), grade: lastGrade(student, schoolYear) },
    asOf: skills.asOf,
    ruleVersions: skills.runId === null ? {} : skills.ruleVersions,
    ...((isHalted || profile.outcome !== 'resolved') && { dataIncomplete: incomplete(skills, profile) }),
    domains: isHalted ? [] : domainsOf(skills, domains, await measured(trx, student, skills)),
    macroTiles: isHalted ? [] : domains.tiles.map(presentTile),
    voidedEvidence: await countVoids(trx, student),
  };
}

type Profile = ReturnType<typeof recommendedProfileOf>;

async function profileNow(services: Services, trx: Trx, student: StudentInScope, now: Date) {
  const { id: studentId, organizationId, timeZone } = student;
  const { rules } = await services.rules.at(trx, now);
  const { schoolYear: start } = rules.values<CatalogueDocument>('catalogue/subskills');
  const { from: yearFrom, name: schoolYear } = schoolYearOf(now.toISOString(), timeZone, start);
  const [known] = await knownOf(trx, organizationId, [{ studentId, yearFrom }]);
  if (!known) throw new RangeError('a student in scope is not known');
  return { profile: recommendedProfileOf(known), schoolYear };
}

const fullNameOf = async (trx: Trx, { id, organizationId }: StudentInScope): Promise<string> =>
  (await User.query(trx).where({ organizationId, id }).select('fullNameAr').first())?.fullNameAr ?? '';

/** For a halt the run names the next action, for a role without a status the profile does. */
const incomplete = (skills: Skills, profile: Profile) => ({
  nextRecommendedDataAction:
    (skills.halted ? skills.nextRecommendedDataAction : profile.nextRecommendedDataAction) ??
    skills.nextRecommendedDataAction ??
    'run_diagnostic',
  subSkills: skills.items
    .filter(({ outcome }) => outcome === 'do_not_decide_yet')
    .map(({ subSkillCode }) => subSkillCode),
});

const measured = (trx: Trx, { organizationId, timeZone }: StudentInScope, { items }: Skills) =>
  lastMeasuredOn(trx, { organizationId, timeZone, snapshotIds: items.flatMap(({ snapshotId }) => snapshotId ?? []) });

/** Returns domains in catalogue order; domains without a sub-skill of the grade are left out. */
function domainsOf({ items }: Skills, { domains }: Domains, measuredOn: ReadonlyMap<string, string>) {
  return domains.flatMap(({ domainCode, nameAr, status }) => {
    const own = items.filter((item) => item.domainCode === domainCode);
    const subSkills = own.map((item) => presentSubSkill(item, measuredOn.get(item.subSkillCode) ?? null));
    return own.length === 0 ? [] : [{ code: domainCode, nameAr, status, subSkills }];
  });
}

const presentSubSkill = (item: Skills['items'][number], measuredOn: string | null) => ({
  code: item.subSkillCode,
  nameAr: item.nameAr,
  status: item.status,
  confidence: item.confidence,
  decision_strength: item.decision_strength,
  itemsScored: item.evidence.distinctItems,
  lastMeasuredOn: measuredOn,
});

const presentTile = ({ tileCode, nameAr, status, applicable }: Domains['tiles'][number]) => ({
  ...{ tileCode, nameAr, status, applicable },
});
