// The rows of sub-flags: what was counted, the counts, and the alert that a persisting pattern writes once.
import { type AlertKind, openAlert } from '#core/module/alerts.ts';
import type { Trx } from '#core/platform/db.ts';
import { acquireNamedLock } from '#core/platform/locks.ts';
import { insertRows } from '#core/platform/sql.ts';
import type { TrainingYear } from '../measurement/index.ts';
import type { SubFlag, SubFlagLevel } from './engine/escalation.ts';
import type { Occurrence } from './engine/occurrences.ts';

/** Who and when: what all rows of one escalation share. */
export interface Stamp extends TrainingYear {
  readonly at: string;
  readonly ruleVersion: string;
}

const whose = ({ organizationId, studentId, schoolYear }: TrainingYear) => ({ organizationId, studentId, schoolYear });

/** One escalation of a student at a time; locked until the transaction ends. */
export async function lockSubFlags(trx: Trx, { studentId }: TrainingYear): Promise<void> {
  await acquireNamedLock(trx, 'subFlags', studentId);
}

/** Appends the occurrences that are not in the ledger yet, and answers all that were ever counted in the year. */
export async function countOccurrences(
  trx: Trx,
  stamp: Stamp,
  occurrences: readonly Occurrence[],
): Promise<Occurrence[]> {
  const counted = await countedOccurrences(trx, stamp);
  const places = new Set(counted.map(placeOf));
  const fresh = occurrences.filter((one) => !places.has(placeOf(one)));
  const rows = fresh.map(({ patternKey, sessionId, itemId, at, ...facts }) => ({
    ...whose(stamp),
    patternKey,
    kind: 'occurrence',
    sessionId,
    itemId,
    facts,
    at,
    ruleVersion: stamp.ruleVersion,
  }));
  await insertRows(trx, 'sub_flag_event', rows);
  return [...counted, ...fresh];
}

const placeOf = ({ sessionId, itemId }: Occurrence): string => `${sessionId}/${itemId}`;

interface OccurrenceRow extends Pick<Occurrence, 'patternKey' | 'sessionId' | 'itemId' | 'at'> {
  readonly facts: Omit<Occurrence, 'patternKey' | 'sessionId' | 'itemId' | 'at'>;
}

/** Oldest first: what was counted stays counted. */
async function countedOccurrences(trx: Trx, training: TrainingYear): Promise<Occurrence[]> {
  const rows: OccurrenceRow[] = await trx('sub_flag_event')
    .where({ ...whose(training), kind: 'occurrence' })
    .orderBy('id')
    .select('patternKey', 'sessionId', 'itemId', 'at', 'facts');
  return rows.map(({ facts, ...row }) => ({ ...row, ...facts }));
}

export interface SubFlagRow extends SubFlag {
  readonly patternKey: string;
}

export async function subFlags(trx: Trx, training: TrainingYear): Promise<SubFlagRow[]> {
  return trx('sub_flag_indicator')
    .where(whose(training))
    .orderBy('patternKey')
    .select(
      'patternKey',
      'level',
      'state',
      'validOccurrences',
      'sessionCount',
      'linkedOccurrences',
      'occurrencesAfterSupport',
      'supportDeliveredAt',
    );
}

/** `code` is written with the first row and kept. */
export async function putFlag(trx: Trx, stamp: Stamp, flag: SubFlagRow, code: string): Promise<void> {
  const counts = { ...flag, updatedAt: stamp.at, ruleVersion: stamp.ruleVersion };
  await trx('sub_flag_indicator')
    .insert({ ...whose(stamp), ...counts, code })
    .onConflict(['organizationId', 'studentId', 'schoolYear', 'patternKey'])
    .merge(counts);
}

export async function appendLevel(trx: Trx, stamp: Stamp, flag: SubFlagRow, level: SubFlagLevel): Promise<void> {
  const { patternKey, ...facts } = flag;
  const { at, ruleVersion } = stamp;
  await trx('sub_flag_event').insert({
    ...whose(stamp),
    patternKey,
    kind: 'level_reached',
    level,
    facts: JSON.stringify(facts),
    at,
    ruleVersion,
  });
}

export const errorPatternAlert: AlertKind = {
  kind: 'sub_flag',
  code: null,
  severity: null,
  subject: 'student',
  summary: 'An error pattern persists after support; its rules say how it is called and how grave it is.',
};

/** Once for a student, school year and pattern. */
export async function writeAlert(
  trx: Trx,
  { organizationId, studentId, schoolYear, at, ruleVersion }: Stamp,
  { patternKey, code, severity }: { patternKey: string; code: string; severity: string },
): Promise<void> {
  await openAlert(trx, errorPatternAlert, {
    organizationId,
    subjectId: studentId,
    once: `sub_flag:${schoolYear}:${studentId}:${patternKey}`,
    details: { schoolYear, patternKey },
    at,
    about: { code, severity, studentId, ruleVersion },
  });
}
