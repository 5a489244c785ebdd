// Presents a diagnostic to its student: the progress, never the results.

import type { MeasurementValues } from '../scoring/engine/values.ts';
import { answeredCount, type ResponseRow } from './engine/state.ts';
import type { DiagnosticSession, SessionRecord } from './store.ts';

export const diagnosticProgress = (
  session: DiagnosticSession,
  responses: readonly ResponseRow[],
  values: MeasurementValues,
) => ({
  answered: answeredCount(responses),
  maxItems: session.subSkills.length * values.maxItems,
});

export function presentSession({ session, responses }: SessionRecord, values: MeasurementValues, resumed: boolean) {
  return {
    sessionId: session.id,
    status: session.status,
    formCode: session.formCode,
    partIndex: session.partIndex,
    partCount: session.partCount,
    startedAt: session.startedAt,
    expiresAt: session.expiresAt,
    activeMsUsed: session.activeMsUsed,
    activeMsCap: values.activeMsCap,
    progress: diagnosticProgress(session, responses, values),
    resumed,
  };
}
