// Explains why an alert opened: the evaluation of that time, replayed, and the profile of the student.

import type { Services } from '#core/module/services.ts';
import type { ReadTransaction } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { inAnyOrganization } from '#core/platform/statements/any-organization.ts';
import { reasonOf, sentencesInForce } from '#rules/catalogue/index.ts';
import { decisionsOf, explainProfile } from '../../interventions/index.ts';
import type { AlertEvaluation } from '../engine/alerts/alert.ts';
import { quietOf, tableFacts } from '../engine/alerts/facts.ts';
import { factCategories } from '../engine/fact-categories.ts';
import { rtiSettings } from '../engine/settings.ts';
import type { MachineInput } from '../evaluation/alerts.ts';
import { RtiAlert } from '../rows/alerts.ts';
import { replayEvaluation } from './replay.ts';
import type { ExplainedAlert } from './schemas.ts';

/** Returns undefined for a row that the caller cannot see. Uses the pinned rules only. */
export async function explainAlert(
  reading: ReadTransaction,
  services: Services,
  id: string,
): Promise<ExplainedAlert | undefined> {
  const row = await reading(async (trx) => RtiAlert.query(trx).modify(inAnyOrganization).where({ id }).first());
  if (!row) return undefined;
  const input = row.opened as unknown as MachineInput;
  const { bundle, answer } = await replayEvaluation(services, input, row.ruleVersions);
  const quiet = quietOf(input.facts, input.alerts, input.today, rtiSettings(bundle).quietDays);
  const decisions = decisionsOf(bundle, String(row.studentId), [['rti/alerts', tableFacts(input.facts, quiet)]]);
  const profileId = await profileThen(reading, row);
  const profile = profileId === undefined ? undefined : await explainProfile(reading, services, profileId);
  const { kind, state, ruleId, subSkillCode, openedAt, closeReason } = row;
  return {
    ...{ stampId: `alert:${id}`, kind: 'alert', organizationId: row.organizationId, studentId: row.studentId },
    ...{ asOf: openedAt, ruleVersions: { ...row.ruleVersions } },
    result: { kind, state, ruleId, subSkillCode, openedAt, closeReason },
    ...{
      decisions,
      matchesStored: opens(answer, row),
      ...reasonOf(await sentencesInForce(reading, services), 'RTI', decisions, factCategories),
    },
    profile: profile ?? null,
  };
}

/** Whether the evaluation opens this alert, for the first time or again. */
const opens = ({ transitions }: AlertEvaluation, { id, kind, subSkillCode }: RtiAlert): boolean =>
  transitions.some(
    (one) =>
      (one.type === 'open' && one.kind === kind && one.subSkillCode === subSkillCode) ||
      (one.type === 'reopen' && one.alertId === id),
  );

async function profileThen(reading: ReadTransaction, row: RtiAlert): Promise<number | undefined> {
  const { organizationId, studentId, openedAt } = row;
  const [found] = await reading((trx) =>
    rowsOf<{ id: number }>(
      trx,
      `select p.id from profile_assignment p where p.organization_id = :organizationId and p.student_id = :studentId
         and p.resolved_at <= :openedAt::timestamptz order by p.id desc limit 1`,
      { organizationId, studentId, openedAt },
    ),
  );
  return found?.id;
}
