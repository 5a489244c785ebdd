// What the workbench asks when somebody wants to know why a student was, or was not, to take part in a session.
import Type, { type Static } from 'typebox';
import { Cuid, named, nullable, object, oneOf } from '#core/http/schemas.ts';
import type { Services } from '#core/module/services.ts';
import type { Reading } from '#core/platform/db.ts';
import { isId, rowIdIn } from '#core/platform/ids.ts';
import { inAnyOrganization } from '#core/platform/statements/any-organization.ts';
import { askAgain, decisionOf, type Explainer, explainedFrame, nearestChange } from '#rules/rulesets/index.ts';
import { compileRecipients, planFactSorts } from '#support/interventions/index.ts';
import { recipientStates } from '../enums.ts';
import { answered, recipientDocument } from '../recipients/decide.ts';
import { SessionRecipient } from '../rows/store.ts';

const Code = Type.String();

const ExplainedRecipient = named(
  'ExplainedRecipient',
  object({
    kind: Type.Literal('recipient'),
    ...explainedFrame,
    result: object({ state: oneOf(recipientStates), reasonCode: nullable(Code), overrideCode: nullable(Code) }),
    from: object({ sessionId: Cuid }),
  }),
);

/** `recipient:<sessionId>.<studentId>`. Today's rules play no part. */
export const recipientExplainer: Explainer = {
  kinds: ['recipient'],
  view: ExplainedRecipient,
  async explain(reading, services, _kind, id) {
    const [sessionId = '', student = ''] = id.split('.');
    const studentId = rowIdIn(student);
    if (!isId(sessionId) || studentId === undefined) return undefined;
    return explainRecipient(reading, services, sessionId, studentId);
  },
};

async function explainRecipient(
  reading: Reading,
  { rules }: Services,
  sessionId: string,
  studentId: number,
): Promise<Static<typeof ExplainedRecipient> | undefined> {
  const row = await reading(async (trx) =>
    SessionRecipient.query(trx).modify(inAnyOrganization).findOne({ sessionId, studentId }),
  );
  if (!row?.facts || row.ruleVersion === null) return undefined;
  const { facts, organizationId, state, reasonCode, overrideCode, ruleId } = row;
  const version = Number(row.ruleVersion.split('@')[1]);
  const bundle = await reading((trx) => rules.pinned(trx, { [recipientDocument]: version }));
  const call = askAgain(bundle.table(recipientDocument), { ...facts });
  const decisions = call ? [decisionOf(call, String(studentId))] : [];
  const again = answered(compileRecipients(bundle)(facts));
  return {
    ...{ stampId: `recipient:${sessionId}.${studentId}`, kind: 'recipient', organizationId, studentId },
    ...{ asOf: row.decidedAt, ruleVersions: { [recipientDocument]: version } },
    result: { state, reasonCode, overrideCode },
    ...{ decisions, matchesStored: again.ruleId === ruleId && again.reasonCode === reasonCode },
    ...{ nearestChange: nearestChange(decisions[0], planFactSorts), from: { sessionId } },
  };
}
