// Presents oral reading to teachers, principals and administrators.
import type { Passage } from '../../content/index.ts';
import type { RecordedProbe } from './probe.ts';
import type { StartedReading } from './start.ts';
import type { CbmAlert, OrfAssessment } from './store.ts';
import type { EvaluatedSeries } from './trend/evaluation.ts';

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

export const presentTrend = ({ series, trend }: EvaluatedSeries) => ({
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
  points: trend.points.map(({ probeIds, date, score, aim, role }) => ({
    probeIds: [...probeIds],
    date,
    score,
    aim,
    role,
  })),
  ruleVersion: trend.ruleVersion,
});

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
