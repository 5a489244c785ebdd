// Explains a stored profile: the rules that resolved it, and its run.

import { evaluatedRuns, explainRun } from '#assessment/skill-status/index.ts';
import type { Services } from '#core/module/services.ts';
import type { ReadTransaction } from '#core/platform/db.ts';
import { isSameJson } from '#core/platform/pure/same-json.ts';
import { inAnyOrganization } from '#core/platform/statements/any-organization.ts';
import { reasonOf, sentencesInForce } from '#rules/catalogue/index.ts';
import { factCategories } from '../engine/fact-categories.ts';
import { ProfileAssignment, type ProfileRow } from '../profiles/rows/row.ts';
import { replayProfile } from '../runs/replay.ts';
import { decisionsOf } from './decisions.ts';
import type { ExplainedProfile } from './schemas.ts';

/** Returns undefined for a row that the caller cannot see. Uses the pinned rules only. */
export async function explainProfile(
  reading: ReadTransaction,
  services: Services,
  id: number,
): Promise<ExplainedProfile | undefined> {
  const row: ProfileRow | undefined = await reading((trx) =>
    ProfileAssignment.query(trx).modify(inAnyOrganization).where({ id }).first().execute(),
  );
  const run = row && (await explainRun(reading, services, row.runId));
  if (!row || !run) return undefined;
  const bundle = await services.rules.pinned(services.db, { ...run.ruleVersions, ...row.ruleVersions });
  const { resolution, modifiers } = row.facts;
  const decisions = decisionsOf(bundle, String(row.studentId), [
    ['profile/resolution', { ...resolution }],
    ['profile/modifiers', { ...modifiers }],
  ]);
  const { db, rules } = services;
  const evaluated = (await evaluatedRuns(reading, services, row.organizationId, [row.runId])).get(row.runId);
  const again = evaluated && (await replayProfile(db, rules, row, evaluated));
  return {
    stampId: `profile:${id}`,
    kind: 'profile',
    organizationId: row.organizationId,
    studentId: row.studentId,
    asOf: row.resolvedAt,
    ruleVersions: row.ruleVersions,
    result: {
      outcome: row.outcome,
      profileCode: row.profileCode,
      ruleId: row.ruleId,
      modifiers: row.modifiers,
      anchorRole: row.anchorRole,
      anchorSubSkillCode: row.anchorSubSkillCode,
      anchorSkillGroup: row.anchorSkillGroup,
    },
    decisions,
    matchesStored: again?.fields.length === 0 && isSameJson(row.facts, again.facts),
    ...reasonOf(await sentencesInForce(reading, services), 'PROFILE', decisions, factCategories),
    run,
  };
}
