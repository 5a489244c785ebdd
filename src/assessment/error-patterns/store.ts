// Stores sub-flags: occurrences, counts, and the alert for a persisting pattern.

import { type AlertKind, openAlert } from '#core/module/alerts.ts';
import type { Trx } from '#core/platform/db.ts';
import { acquireNamedLock } from '#core/platform/locks.ts';
import { modelOf } from '#core/platform/model.ts';
import { insertRows } from '#core/platform/sql.ts';
import type { TrainingYear } from '../measurement/index.ts';
import type { SubFlag, SubFlagLevel } from './engine/escalation.ts';
import type { Occurrence } from './engine/occurrences.ts';

/** Columns common to all rows of one escalation. */
export interface Stamp extends TrainingYear {
  readonly at: string;
  readonly ruleVersion: string;
}

const ownerOf = ({ organizationId, studentId, schoolYear }: TrainingYear) => ({
  organizationId,
  studentId,
  schoolYear,
});

/** Serializes the escalations of a student. The lock is held until the transaction ends. */
export async function lockSubFlags(trx: Trx, { studentId }: TrainingYear): Promise<void> {
  await acquireNamedLock(trx, 'subFlags', studentId);
}

/** Appends new occurrences to the ledger and returns all of the year. */
export async function countOccurrences(
  trx: Trx,
  stamp: Stamp,
  occurrences: readonly Occurrence[],
): Promise<Occurrence[]> {
  const counted = await countedOccurrences(trx, stamp);
  const known = new Set(counted.map(occurrenceKey));
  const fresh = occurrences.filter((one) => !known.has(occurrenceKey(one)));
  const rows = fresh.map(({ patternKey, sessionId, itemId, at, ...facts }) => ({
    ...ownerOf(stamp),
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

const occurrenceKey = ({ sessionId, itemId }: Occurrence): string => `${sessionId}/${itemId}`;

interface OccurrenceRow extends Pick<Occurrence, 'patternKey' | 'sessionId' | 'itemId' | 'at'> {
  readonly facts: Omit<Occurrence, 'patternKey' | 'sessionId' | 'itemId' | 'at'>;
}

interface SubFlagEventRow extends Stamp {
  readonly id: number;
  readonly patternKey: string;
  readonly kind: 'occurrence' | 'level_reached';
  readonly sessionId: string | null;
  readonly itemId: string | null;
  readonly level: SubFlagLevel | null;
  /** Of the occurrence, or the counts at which the level was reached. */
  readonly facts: object;
}

export const SubFlagEvent = modelOf<SubFlagEventRow>('sub_flag_event', {
  id: ['organizationId', 'id', 'schoolYear'],
  json: ['facts'],
});

/** Returns the counted occurrences, oldest first. They are never removed. */
async function countedOccurrences(trx: Trx, training: TrainingYear): Promise<Occurrence[]> {
  const rows: OccurrenceRow[] = await SubFlagEvent.query(trx)
    .where({ ...ownerOf(training), kind: 'occurrence' })
    .orderBy('id')
    .select('patternKey', 'sessionId', 'itemId', 'at', 'facts')
    .castTo<OccurrenceRow[]>();
  return rows.map(({ facts, ...row }) => ({ ...row, ...facts }));
}

export interface SubFlagRow extends SubFlag {
  readonly patternKey: string;
}

interface SubFlagIndicatorRow extends SubFlagRow, Omit<Stamp, 'at'> {
  readonly code: string;
  readonly updatedAt: string;
}

export const SubFlagIndicator = modelOf<SubFlagIndicatorRow>('sub_flag_indicator', {
  id: ['organizationId', 'studentId', 'schoolYear', 'patternKey'],
});

export async function subFlags(trx: Trx, training: TrainingYear): Promise<SubFlagRow[]> {
  return SubFlagIndicator.query(trx)
    .where(ownerOf(training))
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

/** Saves a flag. `code` is set by the first write and kept. */
export async function saveSubFlag(trx: Trx, stamp: Stamp, flag: SubFlagRow, code: string): Promise<void> {
  const counts = { ...flag, updatedAt: stamp.at, ruleVersion: stamp.ruleVersion };
  await SubFlagIndicator.query(trx)
    .insert({ ...ownerOf(stamp), ...counts, code })
    .onConflict(['organizationId', 'studentId', 'schoolYear', 'patternKey'])
    .merge(counts);
}

export async function appendLevel(trx: Trx, stamp: Stamp, flag: SubFlagRow, level: SubFlagLevel): Promise<void> {
  const { patternKey, ...facts } = flag;
  const { at, ruleVersion } = stamp;
  await SubFlagEvent.query(trx).insert({
    ...ownerOf(stamp),
    patternKey,
    kind: 'level_reached',
    level,
    facts,
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

/** Opens the alert once per student, school year and pattern. */
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
