// Returns the evidence of a student's practice in one window.
import { practiceEvidence } from '#assessment/measurement/evidence/practice.ts';
import type { StudentSession } from '#assessment/measurement/evidence/reader.ts';
import type { StudentWindow } from '#assessment/measurement/evidence/windows.ts';
import { pipelineOf } from '#assessment/skill-status/rules/pipelines.ts';
import { inContext } from '#core/platform/db.ts';
import type { TestApp } from '../../../harness/http.ts';

export const practiceIn = (
  { services, clock }: TestApp,
  window: StudentWindow,
  organizationId: string,
): Promise<StudentSession[]> =>
  inContext(services.db, { organizationId }, async (trx) => {
    const { rules } = await services.rules.at(trx, clock.now());
    const { itemBanks } = services;
    const sessionsOf = await practiceEvidence(trx, { organizationId, students: [window], itemBanks });
    return sessionsOf(window, pipelineOf(rules));
  });
