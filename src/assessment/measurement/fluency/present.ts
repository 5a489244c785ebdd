// Presents oral reading to teachers, principals and administrators.
import { compare } from '#core/platform/pure/lists/compare.ts';
import { round4 } from '#core/platform/pure/round.ts';
import type { Passage } from '../../content/index.ts';
import type { TrendPoint } from './engine/trend.ts';
import type { RecordedProbe } from './probe.ts';
import type { StartedReading } from './start.ts';
import type { CbmAlert, OrfAssessment } from './store.ts';
import type { EvaluatedSeries, VoidedProbe } from './trend/evaluation.ts';

const benchmarkProfile = ({ benchmarkKey: key, benchmarkVersion: version }: OrfAssessment) => ({ key, version });

export const presentStarted = ({ assessment, passage }: StartedReading) => ({
  assessmentId: assessment.id,
  status: assessment.status,
  season: assessment.season,
  benchmarkProfile: benchmarkProfile(assessment),
  passage: presentPassage(passage),
});

const presentPassage = ({ passageId, grade, formFamily, vowelled, titleAr, words }: Passage) => ({
  passageId,
  grade,
  formFamily,
  vowelled,
  titleAr,
  words: words.map(({ index, text, line }) => ({ index, text, line })),
});

export const presentStopped = (assessment: OrfAssessment) => ({
  assessmentId: assessment.id,
  status: assessment.status,
  wcpm: assessment.wcpm,
  accuracy: assessment.accuracy,
  wordsAttempted: assessment.wordsAttempted,
  wordsCorrect: assessment.wordsCorrect,
  errors: assessment.errors,
  selfCorrections: assessment.selfCorrections,
  verdict: assessment.verdict ?? 'not_assessed',
  season: assessment.season,
  benchmarkProfile: benchmarkProfile(assessment),
});

export const presentProbe = ({ probe, evaluated }: RecordedProbe) => ({
  probeId: probe.id,
  studentId: probe.studentId,
  measureCode: probe.measureCode,
  formFamily: probe.formFamily,
  administeredOn: probe.administeredOn,
  score: probe.score,
  role: evaluated.trend.roles.get(probe.id) ?? 'not_comparable',
  trend: presentTrend(evaluated),
});

export const presentTrend = ({ series, trend, voided }: EvaluatedSeries) => ({
  studentId: series.student.id,
  measureCode: series.measureCode,
  formFamily: series.formFamily,
  schoolYear: series.year.name,
  asOf: series.asOf,
  baseline: trend.baseline && { ...trend.baseline, probeIds: [...trend.baseline.probeIds] },
  goal: trend.goal,
  aimSlopePerWeek: trend.aimSlope,
  slopePerWeek: trend.slope,
  trendType: trend.trendType,
  points: [...trend.points.map(presentPoint), ...voided.map(presentVoided)].sort(byDate),
  ruleVersion: trend.ruleVersion,
});

const presentPoint = ({ probeIds, date, score, aim, role }: TrendPoint) => ({
  probeIds: [...probeIds],
  ...{ date, score, aim, role, voidId: null },
});

/** Shown, and in nothing that is computed. */
const presentVoided = ({ probeId, date, score, voidId }: VoidedProbe) => ({
  probeIds: [probeId],
  ...{ date, score: round4(score), aim: null, role: 'not_comparable' as const, voidId },
});

const byDate = (left: { readonly date: string }, right: { readonly date: string }): number =>
  compare(left.date, right.date);

export const presentCbmAlert = (alert: CbmAlert) => ({
  alertId: alert.id,
  studentId: alert.studentId,
  measureCode: alert.measureCode,
  kind: alert.kind,
  openedAt: alert.openedAt,
  closedAt: alert.closedAt,
  trendType: alert.trendType,
  ruleVersion: alert.ruleVersion,
});
