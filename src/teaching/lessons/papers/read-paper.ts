// Reads the input of lesson papers in one transaction; rendering runs after it.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { compare } from '#core/platform/pure/lists/compare.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { namesOnPaper, ownAddress } from '#identity/people/index.ts';
import type { CatalogueDocument } from '#rules/catalogue/index.ts';
import { checkText, foldName, plainName } from '#rules/language/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { findBlueprint } from '../../lesson-blueprints/index.ts';
import { arrangeContent } from '../content/content.ts';
import { includedIds, type LessonRow, recipientsOf } from '../rows/store.ts';
import type { LessonPaper } from './pages/paper.ts';

export interface PaperContext {
  readonly services: Pick<Services, 'rules' | 'config'>;
  readonly trx: Trx;
  readonly now: Date;
}

export interface ReadPaper {
  readonly paper: LessonPaper;
  /** Ids of the students whose names are printed. */
  readonly studentIds: readonly number[];
  /** True when all texts pass the language rules of their readers. */
  readonly isSafe: boolean;
}

/** Throws ENGINE_UNAVAILABLE when the language rules are missing. */
export async function readPaper(reading: PaperContext, row: LessonRow): Promise<ReadPaper> {
  const { services, trx, now } = reading;
  const { rules } = await services.rules.at(trx, now);
  const blueprint = await findBlueprint(trx, row.blueprintId);
  if (!blueprint) throw new RangeError(`blueprint ${row.blueprintId} does not exist`);
  const { grade, targetSubSkillCodes } = blueprint.content;
  const students = await readRecipients(reading, row);
  const paper: LessonPaper = {
    ...arrangeContent(blueprint.content, row),
    grade,
    stepNo: row.stepNo,
    scheduledOn: row.scheduledOn,
    madeAt: row.createdAt,
    ...(await ownerOf(trx, row)),
    address: ownAddress(services.config),
    goalsAr: goalsOf(rules, targetSubSkillCodes),
    recipients: students.map(({ fullNameAr }) => fullNameAr),
  };
  return { paper, studentIds: students.map(({ studentId }) => studentId), isSafe: areTextsSafe(rules, paper) };
}

/** Returns the included students in the order of their folded names, without erased students. */
async function readRecipients({ trx }: PaperContext, row: LessonRow) {
  const { organizationId } = row;
  const included = includedIds(await recipientsOf(trx, row));
  const names = await namesOnPaper(trx, organizationId, included);
  return included
    .flatMap((studentId) => {
      const name = names.get(studentId);
      return name ? [{ studentId, fullNameAr: name.fullNameAr }] : [];
    })
    .toSorted(
      (one, other) =>
        compare(foldName(one.fullNameAr), foldName(other.fullNameAr)) || compare(one.studentId, other.studentId),
    );
}

/** Returns the names of organization, school and class, which are data and pass no language check. */
async function ownerOf(trx: Trx, { organizationId, classId }: LessonRow) {
  const [found] = await rowsOf<Pick<LessonPaper, 'organizationName' | 'schoolName' | 'classNameAr'>>(
    trx,
    `select o.name as organization_name, s.name as school_name, c.name as class_name_ar
     from class c
     join school s on s.organization_id = c.organization_id and s.id = c.school_id
     join organization o on o.id = c.organization_id
     where c.organization_id = :organizationId and c.id = :classId`,
    { organizationId, classId },
  );
  if (!found) throw new RangeError('the class does not exist');
  const { organizationName, schoolName, classNameAr } = found;
  return {
    organizationName: plainName(organizationName),
    schoolName: plainName(schoolName),
    classNameAr: plainName(classNameAr),
  };
}

const goalsOf = (rules: RuleBundle, codes: readonly string[]): string[] => {
  const { subSkills } = rules.values<CatalogueDocument>('catalogue/subskills');
  return codes.flatMap((code) => subSkills.find((one) => one.code === code)?.ar ?? []);
};

/** Checks title and scripts. Items are reviewed by people and are not checked. */
const areTextsSafe = (rules: RuleBundle, { titleAr, segments }: LessonPaper): boolean =>
  checkText(rules, titleAr, 'student').safe &&
  segments.every(({ scriptAr }) => checkText(rules, scriptAr, 'teacher_note').safe);
