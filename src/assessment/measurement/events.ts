// Events of measurement: new evidence, and changes of oral reading series.
import Type from 'typebox';
import { IntegerId, object, oneOf } from '#core/http/schemas.ts';
import { eventKind, TextId } from '#core/module/events.ts';
import { corrections, measureCodes } from './enums.ts';
import { trendTypes } from './fluency/engine/cbm-rules.ts';
import { signals } from './fluency/engine/signals.ts';

export const diagnosticFinished = eventKind({
  topic: 'diagnostic.finished',
  summary: 'A student has finished a part of a diagnostic.',
  payload: object({ studentId: IntegerId, sessionId: TextId }),
});

export const practiceCompleted = eventKind({
  topic: 'practice.completed',
  summary: 'A student has worked off a practice queue; one that a newer queue replaced raises nothing.',
  payload: object({ studentId: IntegerId, queueId: TextId }),
});

export const orfScored = eventKind({
  topic: 'orf.scored',
  summary: 'An oral reading has been stopped and scored; an invalid one raises nothing.',
  payload: object({ studentId: IntegerId, assessmentId: TextId }),
});

const series = { studentId: IntegerId, measureCode: oneOf(measureCodes) };
const alertPayload = object({ ...series, kind: oneOf(signals), alertId: TextId });

export const cbmTrendChanged = eventKind({
  topic: 'cbm.trend_changed',
  summary: 'A probe has given a series another trend.',
  payload: object({ ...series, formFamily: Type.String(), trendType: oneOf(trendTypes), trendId: IntegerId }),
});

export const cbmAlertOpened = eventKind({
  topic: 'cbm.alert_opened',
  summary: 'A signal of a series holds that did not hold before.',
  payload: alertPayload,
});

export const cbmAlertClosed = eventKind({
  topic: 'cbm.alert_closed',
  summary: 'A signal of a series does not hold any more.',
  payload: alertPayload,
});

export const evidenceCorrected = eventKind({
  topic: 'evidence.corrected',
  summary:
    'Evidence of a student has been voided or restored, or an account of the child was merged or a merge undone.',
  payload: object({ studentId: IntegerId, correction: oneOf(corrections), correctionId: IntegerId }),
});

export const measurementEvents = [
  diagnosticFinished,
  practiceCompleted,
  orfScored,
  cbmTrendChanged,
  cbmAlertOpened,
  cbmAlertClosed,
  evidenceCorrected,
];
