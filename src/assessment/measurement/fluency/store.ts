// The rows of oral reading: assessments with marks, probes, trends.

import { Row } from '#core/platform/model.ts';
import type { Season } from '#rules/catalogue/index.ts';
import type { assessmentStatuses } from '../enums.ts';
import type { MeasureCode, Verdict } from './engine/benchmark.ts';
import type { TrendType } from './engine/cbm-rules.ts';
import type { MarkKind, StopReason } from './engine/reading.ts';
import type { Signal } from './engine/signals.ts';
import type { SeriesInput } from './engine/trend.ts';

export type AssessmentStatus = (typeof assessmentStatuses)[number];

export class OrfAssessment extends Row {
  static override tableName = 'orf_assessment';
  declare id: string;
  declare organizationId: string;
  declare studentId: number;
  declare status: AssessmentStatus;
  declare grade: number;
  declare season: Season;
  declare schoolYear: string;
  declare passageId: string;
  /** Version of the passage file. */
  declare passagesVersion: number;
  declare benchmarkKey: string;
  declare benchmarkVersion: number;
  declare startedAt: string;
  /** This column and those below are null until stopped. */
  declare stoppedAt: string | null;
  /** Local calendar date of the stop. */
  declare readOn: string | null;
  declare stopReason: StopReason | null;
  declare elapsedSeconds: number | null;
  declare lastWordIndex: number | null;
  declare verdict: Verdict | null;
  /** This column and those below are null unless SCORED. */
  declare wcpm: number | null;
  declare accuracy: number | null;
  declare wordsAttempted: number | null;
  declare wordsCorrect: number | null;
  declare errors: number | null;
  declare selfCorrections: number | null;
  /** True when a person has confirmed a score that hardly any child reaches. */
  declare confirmed: boolean;
}

export class OrfMark extends Row {
  static override tableName = 'orf_mark';
  /** In the order of marking. */
  declare id: number;
  declare organizationId: string;
  declare schoolYear: string;
  declare assessmentId: string;
  declare wordIndex: number;
  declare mark: MarkKind;
  declare markedAt: string;
}

export class CbmProbe extends Row {
  static override tableName = 'cbm_probe';
  declare id: number;
  declare organizationId: string;
  declare studentId: number;
  declare measureCode: MeasureCode;
  declare formFamily: string;
  declare schoolYear: string;
  declare passageId: string;
  declare administeredOn: string;
  /** Null when read from paper and entered by hand. */
  declare orfAssessmentId: string | null;
  declare wordsAttempted: number;
  declare errors: number;
  declare elapsedSeconds: number;
  /** Correct words a minute. */
  declare score: number;
  /** True when a person has confirmed a score that hardly any child reaches, here or in the reading. */
  declare confirmed: boolean;
  declare recordedAt: string;
}

/** The trend of a series right after a probe or a correction, with its complete input. */
export class CbmTrend extends Row {
  static override tableName = 'cbm_trend';
  static override jsonAttributes = ['input', 'ruleVersions'];
  declare id: number;
  declare organizationId: string;
  declare studentId: number;
  declare measureCode: MeasureCode;
  declare formFamily: string;
  declare schoolYear: string;
  /** The probe that triggered the evaluation; after a correction the newest probe of the series. */
  declare probeId: number;
  /** Whether a correction of evidence triggered it. */
  declare byCorrection: boolean;
  declare asOf: string;
  declare trendType: TrendType;
  declare ruleId: string;
  declare aimSlope: number | null;
  declare slope: number | null;
  declare slopeError: number | null;
  declare decisionWeek: number | null;
  declare input: SeriesInput;
  declare ruleVersion: string;
  declare ruleVersions: Readonly<Record<string, number>>;
  declare evaluatedAt: string;
}

export class CbmAlert extends Row {
  static override tableName = 'cbm_alert';
  declare id: string;
  declare organizationId: string;
  /** School year of the trend that opened it. */
  declare schoolYear: string;
  declare studentId: number;
  declare measureCode: MeasureCode;
  declare kind: Signal;
  declare openedAt: string;
  declare closedAt: string | null;
  declare openedByTrendId: number;
  declare closedByTrendId: number | null;
  declare closedInSchoolYear: string | null;
  /** The trend type when the alert opened. */
  declare trendType: TrendType;
  declare ruleVersion: string;
}
