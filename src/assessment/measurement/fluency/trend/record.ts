// Records the effects of a probe or a correction: the trend of its series, and raw signals that open or close.

import { appendEvents, type NewEvent, newEvent } from '#core/module/events.ts';
import type { Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { cbmAlertClosed, cbmAlertOpened, cbmTrendChanged } from '../../events.ts';
import type { Signal } from '../engine/signals.ts';
import { CbmAlert, CbmTrend } from '../store.ts';
import type { EvaluatedSeries } from './evaluation.ts';

/** The series and the cause of its trend. */
export type RecordedSeries = Pick<
  CbmTrend,
  'organizationId' | 'studentId' | 'measureCode' | 'formFamily' | 'schoolYear' | 'probeId' | 'byCorrection'
>;

/** Stores the trend of a series that a newer one has followed: its signals and its change count no more. */
export const recordPastTrend = async (
  trx: Trx,
  series: RecordedSeries,
  evaluated: EvaluatedSeries,
  now: Date,
): Promise<void> => {
  await insertTrend(trx, series, evaluated, now);
};

/** Stores the trend. One alert of a kind is open at a time, so a condition that still holds opens none. */
export async function recordTrend(
  trx: Trx,
  series: RecordedSeries,
  evaluated: EvaluatedSeries,
  now: Date,
): Promise<void> {
  const { signals } = evaluated.trend;
  const before = await newestTrend(trx, series);
  const row = await insertTrend(trx, series, evaluated, now);
  const open = await openAlerts(trx, row);
  const opened = await insertAlerts(trx, row, missingFrom(open, signals), now);
  const closed = open.filter(({ kind }) => !signals.includes(kind));
  await closeAlerts(trx, row, closed, now);
  const changed = (before?.trendType ?? 'insufficient_points') !== row.trendType;
  await appendEvents(trx, now, [
    ...(changed ? [trendChanged(row)] : []),
    ...opened.map((alert) => alertEvent(cbmAlertOpened, alert)),
    ...closed.map((alert) => alertEvent(cbmAlertClosed, alert)),
  ]);
}

const missingFrom = (open: readonly CbmAlert[], signals: readonly Signal[]): Signal[] =>
  signals.filter((signal) => !open.some(({ kind }) => kind === signal));

const newestTrend = (trx: Trx, { organizationId, studentId, measureCode, formFamily, schoolYear }: RecordedSeries) =>
  CbmTrend.query(trx)
    .where({ organizationId, studentId, measureCode, formFamily, schoolYear })
    .orderBy('id', 'desc')
    .first();

function insertTrend(trx: Trx, series: RecordedSeries, { input, trend, ruleVersions }: EvaluatedSeries, now: Date) {
  const { trendType, ruleId, ruleVersion, aimSlope, slope, slopeError, decisionWeek } = trend;
  return CbmTrend.query(trx).insertAndFetch({
    ...series,
    trendType,
    ruleId,
    ruleVersion,
    aimSlope,
    slope,
    slopeError,
    decisionWeek,
    asOf: input.asOf,
    input,
    ruleVersions,
    evaluatedAt: now.toISOString(),
  });
}

const openAlerts = (trx: Trx, { organizationId, studentId, measureCode }: CbmTrend) =>
  CbmAlert.query(trx).where({ organizationId, studentId, measureCode }).whereNull('closedAt').orderBy('kind');

async function insertAlerts(trx: Trx, row: CbmTrend, kinds: readonly Signal[], now: Date): Promise<CbmAlert[]> {
  const { organizationId, schoolYear, studentId, measureCode, trendType, ruleVersion, id: openedByTrendId } = row;
  if (kinds.length === 0) return [];
  return CbmAlert.query(trx).insertAndFetch(
    kinds.map((kind) => ({
      id: newId(),
      organizationId,
      schoolYear,
      studentId,
      measureCode,
      kind,
      openedAt: now.toISOString(),
      openedByTrendId,
      trendType,
      ruleVersion,
    })),
  );
}

async function closeAlerts(trx: Trx, row: CbmTrend, alerts: readonly CbmAlert[], now: Date): Promise<void> {
  if (alerts.length === 0) return;
  await CbmAlert.query(trx)
    .where({ organizationId: row.organizationId })
    .whereIn(
      'id',
      alerts.map(({ id }) => id),
    )
    .patch({ closedAt: now.toISOString(), closedByTrendId: row.id, closedInSchoolYear: row.schoolYear });
}

const trendChanged = ({ organizationId, id: trendId, ...row }: CbmTrend): NewEvent => {
  const { studentId, measureCode, formFamily, trendType } = row;
  return newEvent(cbmTrendChanged, organizationId, { studentId, measureCode, formFamily, trendType, trendId });
};

const alertEvent = (
  event: typeof cbmAlertOpened | typeof cbmAlertClosed,
  { organizationId, id: alertId, studentId, measureCode, kind }: CbmAlert,
): NewEvent => newEvent(event, organizationId, { studentId, measureCode, kind, alertId });
