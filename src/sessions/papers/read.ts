// What the papers of a session print, read in one transaction; rendering comes when it is over.
import type { CatalogueDocument } from '../../catalogue/index.ts';
import type { Services } from '../../kernel/services.ts';
import { checkText } from '../../language/index.ts';
import type { Trx } from '../../platform/db.ts';
import type { RuleBundle } from '../../rulesets/index.ts';
import { findBlueprint } from '../../session-blueprints/index.ts';
import { arranged } from '../content/content.ts';
import { firstNamesOf } from '../offline/first-names.ts';
import { includedIds, recipientsOf, type SessionRow } from '../rows/store.ts';
import type { SessionPaper } from './pages/paper.ts';

export interface Reading {
  readonly services: Pick<Services, 'rules'>;
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
    classNameAr: await classNameOf(trx, row),
    goalsAr: goalsOf(rules, targetSubSkillCodes),
    recipients: students.map(({ firstNameAr }) => firstNameAr),
  };
  return { paper, studentIds: students.map(({ studentId }) => studentId), isSafe: passes(rules, paper) };
}

const byName = new Intl.Collator('ar').compare;

/** Those who are included, as sheets are handed out; whoever was erased has no sheet. */
async function namedRecipients({ trx }: Reading, row: SessionRow) {
  const { organizationId } = row;
  const included = includedIds(await recipientsOf(trx, row));
  const living: number[] = await trx('app_user')
    .where({ organizationId })
    .whereIn('id', included)
    .whereNot({ status: 'deleted' })
    .pluck('id');
  const students = await firstNamesOf(trx, organizationId, living);
  return students.toSorted(
    (one, other) => byName(one.firstNameAr, other.firstNameAr) || one.studentId - other.studentId,
  );
}

/** Names of classes are data. */
async function classNameOf(trx: Trx, { organizationId, classId }: SessionRow): Promise<string> {
  const found: { name: string } | undefined = await trx('class').where({ organizationId, id: classId }).first('name');
  return found?.name ?? '';
}

const goalsOf = (rules: RuleBundle, codes: readonly string[]): string[] => {
  const { subSkills } = rules.values<CatalogueDocument>('catalogue/subskills');
  return codes.flatMap((code) => subSkills.find((one) => one.code === code)?.ar ?? []);
};

/** Items are content that people have reviewed. */
const passes = (rules: RuleBundle, { titleAr, segments }: SessionPaper): boolean =>
  checkText(rules, titleAr, 'student').safe &&
  segments.every(({ scriptAr }) => checkText(rules, scriptAr, 'teacher_note').safe);
