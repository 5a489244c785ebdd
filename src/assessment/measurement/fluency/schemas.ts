// Request and response schemas of oral reading and of repeated probes.
import Type from 'typebox';
import {
  CalendarDate,
  Cuid,
  EnteredDate,
  IntegerId,
  IntegerIdText,
  named,
  nullable,
  object,
  oneOf,
  page,
  pageQuery,
  SchoolYearName,
  Timestamp,
} from '#core/http/schemas.ts';
import { seasons } from '#rules/catalogue/index.ts';
import { assessmentStatuses, markKinds, measureCodes, stopReasons } from '../enums.ts';
import { verdicts } from './engine/benchmark.ts';
import { trendTypes } from './engine/cbm-rules.ts';
import { fullSeconds } from './engine/reading.ts';
import { probeRoles } from './engine/series.ts';
import { signals } from './engine/signals.ts';

const PassageId = named('PassageId', Type.String({ minLength: 1, maxLength: 40 }));
const Count = Type.Integer({ minimum: 0, maximum: 500 });
const Seconds = named('Seconds', Type.Integer({ minimum: 1, maximum: fullSeconds }));
const MeasureCode = named('MeasureCode', oneOf(measureCodes));
const BenchmarkProfile = named('BenchmarkProfile', object({ key: Type.String(), version: Type.Integer() }));
const Status = named('OrfStatus', oneOf(assessmentStatuses));

/** Says that a score is right although hardly any child reaches it. */
const Confirmed = Type.Optional(Type.Boolean());

export const StartBody = object({ studentId: IntegerId, passageId: Type.Optional(PassageId) });
export const StartedAssessment = named(
  'StartedAssessment',
  object({
    assessmentId: Cuid,
    status: Status,
    season: oneOf(seasons),
    benchmarkProfile: BenchmarkProfile,
    passage: object({
      passageId: Type.String(),
      grade: Type.Integer(),
      formFamily: Type.String(),
      vowelled: Type.Boolean(),
      titleAr: Type.String(),
      words: Type.Array(object({ index: Type.Integer(), text: Type.String(), line: Type.Integer() })),
    }),
  }),
);

export const MarkBody = named(
  'MarkBody',
  object({
    marks: Type.Array(object({ wordIndex: Type.Integer({ minimum: 0, maximum: 1000 }), mark: oneOf(markKinds) }), {
      minItems: 1,
      maxItems: 300,
    }),
  }),
);
export const Marked = named('Marked', object({ marked: Type.Integer() }));

export const StopBody = named(
  'StopBody',
  object({
    reason: oneOf(stopReasons),
    elapsedSeconds: Seconds,
    lastWordIndex: Type.Integer({ minimum: -1, maximum: 1000 }),
    confirmed: Confirmed,
  }),
);
export const StoppedAssessment = named(
  'StoppedAssessment',
  object({
    assessmentId: Cuid,
    status: Status,
    wcpm: nullable(Type.Number()),
    accuracy: nullable(Type.Number()),
    wordsAttempted: nullable(Type.Integer()),
    wordsCorrect: nullable(Type.Integer()),
    errors: nullable(Type.Integer()),
    selfCorrections: nullable(Type.Integer()),
    verdict: oneOf(verdicts),
    season: oneOf(seasons),
    benchmarkProfile: BenchmarkProfile,
  }),
);

export const ProbeBody = named(
  'ProbeBody',
  Type.Union([
    object({ studentId: IntegerId, measureCode: MeasureCode, orfAssessmentId: Cuid, confirmed: Confirmed }),
    object({
      studentId: IntegerId,
      measureCode: MeasureCode,
      passageId: PassageId,
      administeredOn: EnteredDate,
      wordsAttempted: Count,
      errors: Count,
      elapsedSeconds: Seconds,
      confirmed: Confirmed,
    }),
  ]),
);

const Role = named('Role', oneOf(probeRoles));
const ProbeIds = Type.Array(IntegerId);
const VoidId = nullable(IntegerId);

export const Trend = named(
  'Trend',
  object({
    studentId: IntegerId,
    measureCode: MeasureCode,
    formFamily: Type.String(),
    schoolYear: SchoolYearName,
    asOf: CalendarDate,
    baseline: nullable(object({ score: Type.Number(), anchorDate: CalendarDate, probeIds: ProbeIds })),
    goal: nullable(object({ score: Type.Number(), date: CalendarDate })),
    aimSlopePerWeek: nullable(Type.Number()),
    slopePerWeek: nullable(Type.Number()),
    trendType: named('TrendType', oneOf(trendTypes)),
    points: Type.Array(
      object({
        probeIds: ProbeIds,
        date: CalendarDate,
        score: Type.Number(),
        aim: nullable(Type.Number()),
        role: Role,
        voidId: VoidId,
      }),
    ),
    ruleVersion: Type.String(),
  }),
);

export const RecordedProbeView = named(
  'RecordedProbe',
  object({
    probeId: IntegerId,
    studentId: IntegerId,
    measureCode: MeasureCode,
    formFamily: Type.String(),
    administeredOn: CalendarDate,
    score: Type.Number(),
    role: Role,
    trend: Trend,
  }),
);

export const trendParams = object({ studentId: IntegerIdText });
export const TrendQuery = named('TrendQuery', object({ measureCode: MeasureCode, asOf: Type.Optional(CalendarDate) }));

export const CbmAlertQuery = named(
  'AlertQuery',
  object({
    ...pageQuery,
    classId: Type.Optional(IntegerId),
    studentId: Type.Optional(IntegerId),
    status: Type.Optional(oneOf(['open', 'closed'])),
  }),
);
export const CbmAlertList = page(
  object({
    alertId: Cuid,
    studentId: IntegerId,
    measureCode: MeasureCode,
    kind: oneOf(signals),
    openedAt: Timestamp,
    closedAt: nullable(Timestamp),
    trendType: named('TrendType', oneOf(trendTypes)),
    ruleVersion: Type.String(),
  }),
);
