// Reads the facts of the class report in one transaction; pages are rendered after it.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { type CatalogueDocument, schoolYearOf } from '#rules/catalogue/index.ts';
import { plainName } from '#rules/language/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { currentGeneration } from '#support/interventions/index.ts';
import { bandDescriptions, bandDocuments, type StudentBand } from '../../aggregates/index.ts';
import type { ClassReport } from '../pages/class-report-facts.ts';
import { gradesAr } from '../pages/labels.ts';
import { localMoment, versionWords } from '../pages/stamps.ts';
import { type ClassContext, readClassContext } from './class-context.ts';
import { bandOf, runsBefore, tileMovementsOf } from './movement.ts';
import { type ReportedStudent, stampOf, studentsNow } from './results.ts';
import { seasonDates } from './season-dates.ts';
import { studentNamesOf } from './student-names.ts';
import { type SectionContext, waitingIn } from './waiting.ts';

interface ReadContext {
  readonly services: Services;
  readonly trx: Trx;
  readonly now: Date;
}

export interface ReadClassReport {
  readonly report: ClassReport;
  readonly studentIds: readonly number[];
  readonly rules: RuleBundle;
}

export async function readClassReport(
  reading: ReadContext,
  organizationId: string,
  classId: number,
): Promise<ReadClassReport> {
  const { services, trx, now } = reading;
  const classContext = await readClassContext(trx, organizationId, classId);
  const { rules } = await services.rules.at(trx, now);
  const catalogue = rules.values<CatalogueDocument>('catalogue/subskills');
  const year = schoolYearOf(now.toISOString(), classContext.timeZone, catalogue.schoolYear);
  const students = await studentsNow(trx, { organizationId, classId, yearFrom: year.from });
  const stamp = stampOf(students);
  const namesOf = await studentNamesOf(trx, organizationId, students);
  const bands = bandDescriptions(rules, 'teacher');
  const shown = bands.map(({ band }) => band);
  const bandStamp = { [bandDocuments.teacher]: rules.versions[bandDocuments.teacher] };
  const report: ClassReport = {
    ...{ organizationName: plainName(classContext.organizationName), schoolName: plainName(classContext.schoolName) },
    ...{ className: plainName(classContext.name), gradeAr: gradesAr[classContext.grade - 1] ?? '' },
    ...{
      teachers: classContext.teachers.map(plainName),
      schoolYear: year.name,
      bands,
      tiles: catalogue.tiles.map(({ ar }) => ar),
    },
    asOf: localMoment(stamp.asOf, classContext.timeZone),
    versions: versionWords({ ...stamp.ruleVersions, ...bandStamp }),
    madeAt: new Date(stamp.asOf ?? year.from),
    students: students.map((student) => ({
      ...namesOf(student.studentId),
      bands: catalogue.tiles.map(({ code }) => bandOf(student, code)),
    })),
    ...(await waitingIn(reading, { classContext, rules, catalogue, namesOf }, students)),
    movements: await movementsIn(reading, classContext, students, catalogue, shown),
    groups: await groupsIn(reading, { classContext, rules, catalogue, namesOf }, students),
  };
  return { report, rules, studentIds: students.map(({ studentId }) => studentId) };
}

async function movementsIn(
  { trx, now }: ReadContext,
  { organizationId, timeZone }: ClassContext,
  students: readonly ReportedStudent[],
  { seasons, tiles }: CatalogueDocument,
  bands: readonly StudentBand[],
) {
  const season = seasonDates(localDate(now, timeZone), seasons);
  const studentIds = students.map(({ studentId }) => studentId);
  const before = await runsBefore(trx, { organizationId, studentIds, season, timeZone });
  const named = new Map(tiles.map(({ code, ar }) => [code, ar]));
  return tileMovementsOf(students, before, [...named.keys()], bands).map(({ tileCode, from, to, count }) => ({
    ...{ tileAr: named.get(tileCode) ?? '', from, to, count },
  }));
}

interface NamedBundles {
  readonly bundles: readonly { readonly bundle_id: string; readonly nameAr: string }[];
}

/** Students who have left the class are not listed. The skill distinguishes groups of the same bundle. */
async function groupsIn(
  { trx, now }: ReadContext,
  { classContext: { organizationId, id }, rules, catalogue, namesOf }: SectionContext,
  students: readonly ReportedStudent[],
): Promise<ClassReport['groups']> {
  const generation = await currentGeneration(trx, organizationId, id, now);
  const { bundles } = rules.values<NamedBundles>('bundle/catalogue');
  const titles = new Map(bundles.map(({ bundle_id, nameAr }) => [bundle_id, nameAr]));
  const skillOf = (group: string) =>
    catalogue.domains.find(({ code }) => group === code || group === `${code}_ALL`)?.ar;
  const namesIn = (ids: readonly number[]) =>
    students.filter(({ studentId }) => ids.includes(studentId)).map(({ studentId }) => namesOf(studentId).name);
  return (generation?.groups.clusters ?? []).map(
    ({ bundle_id, anchor_skill_group, memberStudentIds, teachingGroups }) => ({
      titleAr: [titles.get(bundle_id), skillOf(anchor_skill_group)].filter((words) => words !== undefined).join(' – '),
      members: (teachingGroups.length === 0 ? [memberStudentIds] : teachingGroups)
        .map(namesIn)
        .filter((names) => names.length > 0),
    }),
  );
}
