// What a new probe changes: the trend of its series, and the raw signals that open and close with it.
import type { Trx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { type OutboxEvent, promise } from '../../platform/outbox.ts';
import type { EvaluatedSeries } from './evaluation.ts';
import { CbmAlert, type CbmProbe, CbmTrend } from './store.ts';

export async function recordTrend(trx: Trx, probe: CbmProbe, evaluated: EvaluatedSeries, now: Date): Promise<void> {
  const before = await newestTrend(trx, probe);
  const trend = await insertTrend(trx, probe, evaluated, now);
  const opened = await openAlerts(trx, trend, evaluated, now);
  const closed = await closeAlerts(trx, trend, evaluated, now);
  const changed = (before?.trendType ?? 'insufficient_points') !== trend.trendType;
  await promise(trx, now, [
    ...(changed ? [trendChanged(trend)] : []),
    ...opened.map((alert) => alertEvent('cbm.alert_opened', alert)),
    ...closed.map((alert) => alertEvent('cbm.alert_closed', alert)),
  ]);
}

const newestTrend = (trx: Trx, { studentId, measureCode, formFamily, schoolYear }: CbmProbe) =>
  CbmTrend.query(trx).where({ studentId, measureCode, formFamily, schoolYear }).orderBy('id', 'desc').first();

function insertTrend(trx: Trx, probe: CbmProbe, { input, trend, ruleVersions }: EvaluatedSeries, now: Date) {
  const { organizationId, studentId, measureCode, formFamily, schoolYear, id: probeId } = probe;
  const { trendType, ruleId, ruleVersion, aimSlope, slope, slopeError, decisionWeek } = trend;
  return CbmTrend.query(trx).insertAndFetch({
    ...{ organizationId, studentId, measureCode, formFamily, schoolYear, probeId },
    ...{ trendType, ruleId, ruleVersion, aimSlope, slope, slopeError, decisionWeek },
    asOf: input.asOf,
    input,
    ruleVersions,
    evaluatedAt: now.toISOString(),
  });
}

/** One open alert of a kind: a condition that still holds opens nothing. */
async function openAlerts(trx: Trx, row: CbmTrend, { trend }: EvaluatedSeries, now: Date): Promise<CbmAlert[]> {
  const { organizationId, studentId, measureCode, trendType, ruleVersion, id: openedByTrendId } = row;
  const open = await openOnes(trx, row);
  const kinds = trend.signals.filter((signal) => !open.some(({ kind }) => kind === signal));
  if (kinds.length === 0) return [];
  return CbmAlert.query(trx).insertAndFetch(
    kinds.map((kind) => ({
      ...{ id: newId(), organizationId, studentId, measureCode, kind },
      ...{ openedAt: now.toISOString(), openedByTrendId, trendType, ruleVersion },
    })),
  );
}

async function closeAlerts(trx: Trx, row: CbmTrend, { trend }: EvaluatedSeries, now: Date): Promise<CbmAlert[]> {
  const open = await openOnes(trx, row);
  const over = open.filter(({ kind }) => !trend.signals.includes(kind));
  const ids = over.map(({ id }) => id);
  await CbmAlert.query(trx).findByIds(ids).patch({ closedAt: now.toISOString(), closedByTrendId: row.id });
  return over;
}

const openOnes = (trx: Trx, { studentId, measureCode }: CbmTrend) =>
  CbmAlert.query(trx).where({ studentId, measureCode }).whereNull('closedAt').orderBy('kind');

const trendChanged = ({
  organizationId,
  id,
  studentId,
  measureCode,
  formFamily,
  trendType,
}: CbmTrend): OutboxEvent => ({
  organizationId,
  topic: 'cbm.trend_changed',
  payload: { studentId, measureCode, formFamily, trendType, trendId: id },
});

const alertEvent = (topic: string, { organizationId, id, studentId, measureCode, kind }: CbmAlert): OutboxEvent => ({
  organizationId,
  topic,
  payload: { studentId, measureCode, kind, alertId: id },
});
