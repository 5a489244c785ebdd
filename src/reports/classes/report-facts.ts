// Everything that the report on a class says, read in one transaction; the pages come when it is over.
import { bandDescriptions, bandDocuments, type StudentBand } from '../../aggregates/index.ts';
import { type CatalogueDocument, schoolYearOf } from '../../catalogue/index.ts';
import { currentGeneration } from '../../interventions/index.ts';
import type { Services } from '../../kernel/services.ts';
import type { Trx } from '../../platform/db.ts';
import { localDate } from '../../platform/pure/dates/calendar.ts';
import { round4 } from '../../platform/pure/round.ts';
import type { RuleBundle } from '../../rulesets/index.ts';
import { classPlan, usualSessionMinutes } from '../../skill-status/index.ts';
import type { ClassReport } from '../pages/class-report.ts';
import { actionsAr, gradesAr } from '../pages/labels.ts';
import { localMoment, versionWords } from '../pages/stamps.ts';
import { bandOf, movementsOf, runsBefore } from './movement.ts';
import { type ClassPlace, classPlace } from './place.ts';
import { actionOf, type StudentNow, stampOf, studentsNow } from './results.ts';
import { seasonDates } from './season-dates.ts';

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
  const bands = bandDescriptions(rules, 'teacher');
  const bandStamp = { [bandDocuments.teacher]: rules.versions[bandDocuments.teacher] };
  const report: ClassReport = {
    ...{ schoolName: place.schoolName, className: place.name, gradeAr: gradesAr[place.grade - 1] ?? '' },
    ...{ teachers: place.teachers, schoolYear: year.name, bands, tiles: catalogue.tiles.map(({ ar }) => ar) },
    asOf: localMoment(stamp.asOf, place.timeZone),
    versions: versionWords({ ...stamp.ruleVersions, ...bandStamp }),
    madeAt: new Date(stamp.asOf ?? year.from),
    students: students.map((student) => ({
      name: student.fullNameAr,
      bands: catalogue.tiles.map(({ code }) => bandOf(student, code)),
    })),
    ...(await waitingIn(reading, place, students)),
    movements: await movementsIn(
      reading,
      place,
      students,
      catalogue,
      bands.map(({ band }) => band),
    ),
    groups: await groupsIn(reading, place, students, rules),
  };
  return { report, rules, studentIds: students.map(({ studentId }) => studentId) };
}

/** The minutes of a student are those of all sessions of the class's plan. */
async function waitingIn({ services, trx, now }: Reading, place: ClassPlace, students: readonly StudentNow[]) {
  const waiting = students.filter(({ run }) => run === null || run.halted);
  const { sessions, totalMinutes } = await classPlan(services, trx, place, usualSessionMinutes, now);
  const entries = sessions.flatMap((session) => session.entries);
  const minutesOf = (studentId: number): number | null => {
    const own = entries.filter((entry) => entry.studentId === studentId).flatMap(({ actions }) => actions);
    return own.length === 0 ? null : round4(own.reduce((sum, { minutes }) => sum + minutes, 0));
  };
  return {
    waiting: waiting.map((student) => ({
      ...{ name: student.fullNameAr, actionAr: actionsAr[actionOf(student)], minutes: minutesOf(student.studentId) },
    })),
    allMinutes: totalMinutes,
  };
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

/** Whoever has left the class since is in no group any more. */
async function groupsIn(
  { trx, now }: Reading,
  { organizationId, id }: ClassPlace,
  students: readonly StudentNow[],
  rules: RuleBundle,
): Promise<ClassReport['groups']> {
  const generation = await currentGeneration(trx, organizationId, id, now);
  const { bundles } = rules.values<NamedBundles>('bundle/catalogue');
  const titles = new Map(bundles.map(({ bundle_id, nameAr }) => [bundle_id, nameAr]));
  const namesIn = (ids: readonly number[]) =>
    students.filter(({ studentId }) => ids.includes(studentId)).map(({ fullNameAr }) => fullNameAr);
  return (generation?.groups.clusters ?? []).map(({ bundle_id, memberStudentIds, teachingGroups }) => ({
    titleAr: titles.get(bundle_id) ?? '',
    members: (teachingGroups.length === 0 ? [memberStudentIds] : teachingGroups)
      .map(namesIn)
      .filter((names) => names.length > 0),
  }));
}
