// Explains the state of a sub-skill: the decision of layer A, replayed, and its run.

import { explainRun } from '#assessment/skill-status/index.ts';
import type { Services } from '#core/module/services.ts';
import type { ReadTransaction } from '#core/platform/db.ts';
import { inAnyOrganization } from '#core/platform/statements/any-organization.ts';
import { reasonOf, sentencesInForce } from '#rules/catalogue/index.ts';
import { factCategories } from '../engine/fact-categories.ts';
import type { SkillStateRow } from '../skill-states/store.ts';
import { replayState, type StoredSkillState } from './replay.ts';
import type { ExplainedSkillState } from './schemas.ts';

/** Returns undefined for a row that the caller cannot see. Uses the pinned rules only. */
export async function explainSkillState(
  reading: ReadTransaction,
  services: Services,
  id: number,
): Promise<ExplainedSkillState | undefined> {
  const row: (SkillStateRow & { readonly runId: string }) | undefined = await reading(async (trx) =>
    trx('skill_state as s')
      .join('sse_skill_snapshot as n', (on) =>
        on
          .on('n.organizationId', 's.organizationId')
          .andOn('n.id', 's.snapshotId')
          .andOn('n.schoolYear', 's.schoolYear'),
      )
      .modify(inAnyOrganization, 's')
      .where('s.id', id)
      .first('s.*', 'n.runId'),
  );
  const run = row && (await explainRun(reading, services, row.runId));
  if (!row || !run) return undefined;
  const { decisions, isSame } = await replayState(services, row as unknown as StoredSkillState);
  const { organizationId, studentId, subSkillCode, fromState, state, ruleId, decidedOn } = row;
  return {
    ...{ stampId: `skill-state:${id}`, kind: 'skill-state', organizationId, studentId },
    ...{ asOf: row.decidedAt, ruleVersions: { ...row.ruleVersions } },
    result: { subSkillCode, fromState, state, ruleId, decidedOn },
    ...{
      decisions,
      matchesStored: isSame,
      ...reasonOf(await sentencesInForce(reading, services), 'RTI', decisions, factCategories),
      run,
    },
  };
}
