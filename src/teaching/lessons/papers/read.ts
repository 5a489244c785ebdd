// What the papers of a session print, read in one transaction; rendering comes when it is over.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { namesOnPaper, ownAddress } from '#identity/people/index.ts';
import type { CatalogueDocument } from '#rules/catalogue/index.ts';
import { checkText, plainName } from '#rules/language/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { findBlueprint } from '../../lesson-blueprints/index.ts';
import { arranged } from '../content/content.ts';
import { includedIds, recipientsOf, type SessionRow } from '../rows/store.ts';
import type { SessionPaper } from './pages/paper.ts';

export interface Reading {
  readonly services: Pick<Services, 'rules' | 'config'>;
  readonly trx: Trx;
  readonly now: Date;
}

export interface ReadPaper {
  readonly paper: SessionPaper;
  /** Whose names stand on it. */
  readonly studentIds: readonly number[];
  /** Whether everything that it says passes the rules of those who read it. */
  readonly isSafe: boolean;
}

/** Throws ENGINE_UNAVAILABLE without language rules. */
export async function readPaper(reading: Reading, row: SessionRow): Promise<ReadPaper> {
  const { services, trx, now } = reading;
  const { rules } = await services.rules.at(trx, now);
  const blueprint = await findBlueprint(trx, row.blueprintId);
  if (!blueprint) throw new RangeError(`blueprint ${row.blueprintId} is gone`);
  const { grade, targetSubSkillCodes } = blueprint.content;
  const students = await namedRecipients(reading, row);
  const paper: SessionPaper = {
    ...arranged(blueprint.content, row),
    ...{ grade, stepNo: row.stepNo, scheduledOn: row.scheduledOn, madeAt: row.createdAt },
    ...(await placeOf(trx, row)),
    address: ownAddress(services.config),
    goalsAr: goalsOf(rules, targetSubSkillCodes),
    recipients: students.map(({ fullNameAr }) => fullNameAr),
  };
  return { paper, studentIds: students.map(({ studentId }) => studentId), isSafe: passes(rules, paper) };
}

const byName = new Intl.Collator('ar').compare;

/** Those who are included, as sheets are handed out; whoever was erased has no sheet. */
async function namedRecipients({ trx }: Reading, row: SessionRow) {
  const { organizationId } = row;
  const included = includedIds(await recipientsOf(trx, row));
  const names = await namesOnPaper(trx, organizationId, included);
  return included
    .flatMap((studentId) => {
      const name = names.get(studentId);
      return name ? [{ studentId, fullNameAr: name.fullNameAr }] : [];
    })
    .toSorted((one, other) => byName(one.fullNameAr, other.fullNameAr) || one.studentId - other.studentId);
}

/** Names are data. */
async function placeOf(trx: Trx, { organizationId, classId }: SessionRow) {
  const [found] = await rowsOf<Pick<SessionPaper, 'organizationName' | 'schoolName' | 'classNameAr'>>(
    trx,
    `select o.name as organization_name, s.name as school_name, c.name as class_name_ar
     from class c
     join school s on s.organization_id = c.organization_id and s.id = c.school_id
     join organization o on o.id = c.organization_id
     where c.organization_id = :organizationId and c.id = :classId`,
    { organizationId, classId },
  );
  if (!found) throw new RangeError('the class is gone');
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

/** Items are content that people have reviewed. */
const passes = (rules: RuleBundle, { titleAr, segments }: SessionPaper): boolean =>
  checkText(rules, titleAr, 'student').safe &&
  segments.every(({ scriptAr }) => checkText(rules, scriptAr, 'teacher_note').safe);
