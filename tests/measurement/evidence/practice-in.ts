// What one window shows of a student's practice.
import { practiceEvidence } from '../../../src/measurement/evidence/practice.ts';
import type { StudentSession } from '../../../src/measurement/evidence/reader.ts';
import type { StudentWindow } from '../../../src/measurement/evidence/windows.ts';
import { inContext } from '../../../src/platform/db.ts';
import { pipelineOf } from '../../../src/skill-status/rules/pipelines.ts';
import type { TestApp } from '../../support/http.ts';

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
