// Everything that the report on a class says, read in one transaction; the pages come when it is over.

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
import { callingOf } from './calling.ts';
import { bandOf, movementsOf, runsBefore } from './movement.ts';
import { type ClassPlace, classPlace } from './place.ts';
import { type StudentNow, stampOf, studentsNow } from './results.ts';
import { seasonDates } from './season-dates.ts';
import { type ClassSaid, waitingIn } from './waiting.ts';

interface Reading {
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
  reading: Reading,
  organizationId: string,
  classId: number,
): Promise<ReadClassReport> {
  const { services, trx, now } = reading;
  const place = await classPlace(trx, organizationId, classId);
  const { rules } = await services.rules.at(trx, now);
  const catalogue = rules.values<CatalogueDocument>('catalogue/subskills');
  const year = schoolYearOf(now.toISOString(), place.timeZone, catalogue.schoolYear);
  const students = await studentsNow(trx, { organizationId, classId, yearFrom: year.from });
  const stamp = stampOf(students);
  const called = await callingOf(trx, organizationId, students);
  const bands = bandDescriptions(rules, 'teacher');
  const shown = bands.map(({ band }) => band);
  const bandStamp = { [bandDocuments.teacher]: rules.versions[bandDocuments.teacher] };
  const report: ClassReport = {
    ...{ organizationName: plainName(place.organizationName), schoolName: plainName(place.schoolName) },
    ...{ className: plainName(place.name), gradeAr: gradesAr[place.grade - 1] ?? '' },
    ...{
      teachers: place.teachers.map(plainName),
      schoolYear: year.name,
      bands,
      tiles: catalogue.tiles.map(({ ar }) => ar),
    },
    asOf: localMoment(stamp.asOf, place.timeZone),
    versions: versionWords({ ...stamp.ruleVersions, ...bandStamp }),
    madeAt: new Date(stamp.asOf ?? year.from),
    students: students.map((student) => ({
      ...called(student.studentId),
      bands: catalogue.tiles.map(({ code }) => bandOf(student, code)),
    })),
    ...(await waitingIn(reading, { place, rules, catalogue, called }, students)),
    movements: await movementsIn(reading, place, students, catalogue, shown),
    groups: await groupsIn(reading, { place, rules, catalogue, called }, students),
  };
  return { report, rules, studentIds: students.map(({ studentId }) => studentId) };
}

async function movementsIn(
  { trx, now }: Reading,
  { organizationId, timeZone }: ClassPlace,
  students: readonly StudentNow[],
  { seasons, tiles }: CatalogueDocument,
  bands: readonly StudentBand[],
) {
  const season = seasonDates(localDate(now, timeZone), seasons);
  const studentIds = students.map(({ studentId }) => studentId);
  const before = await runsBefore(trx, { organizationId, studentIds, season, timeZone });
  const named = new Map(tiles.map(({ code, ar }) => [code, ar]));
  return movementsOf(students, before, [...named.keys()], bands).map(({ tileCode, from, to, count }) => ({
    ...{ tileAr: named.get(tileCode) ?? '', from, to, count },
  }));
}

interface NamedBundles {
  readonly bundles: readonly { readonly bundle_id: string; readonly nameAr: string }[];
}

/** Whoever has left the class since is in no group any more. The skill tells groups of one bundle apart. */
async function groupsIn(
  { trx, now }: Reading,
  { place: { organizationId, id }, rules, catalogue, called }: ClassSaid,
  students: readonly StudentNow[],
): Promise<ClassReport['groups']> {
  const generation = await currentGeneration(trx, organizationId, id, now);
  const { bundles } = rules.values<NamedBundles>('bundle/catalogue');
  const titles = new Map(bundles.map(({ bundle_id, nameAr }) => [bundle_id, nameAr]));
  const skillOf = (group: string) =>
    catalogue.domains.find(({ code }) => group === code || group === `${code}_ALL`)?.ar;
  const namesIn = (ids: readonly number[]) =>
    students.filter(({ studentId }) => ids.includes(studentId)).map(({ studentId }) => called(studentId).name);
  return (generation?.groups.clusters ?? []).map(
    ({ bundle_id, anchor_skill_group, memberStudentIds, teachingGroups }) => ({
      titleAr: [titles.get(bundle_id), skillOf(anchor_skill_group)].filter((words) => words !== undefined).join(' – '),
      members: (teachingGroups.length === 0 ? [memberStudentIds] : teachingGroups)
        .map(namesIn)
        .filter((names) => names.length > 0),
    }),
  );
}
