// The explainer of recipient decisions: why a student is included in a lesson or excluded from it.

import Type, { type Static } from 'typebox';
import { Cuid, named, nullable, object, oneOf } from '#core/http/schemas.ts';
import type { Services } from '#core/module/services.ts';
import type { ReadTransaction } from '#core/platform/db.ts';
import { isId, rowIdIn } from '#core/platform/ids.ts';
import { inAnyOrganization } from '#core/platform/statements/any-organization.ts';
import { reasonOf, sentencesInForce } from '#rules/catalogue/index.ts';
import { decisionOf, type Explainer, explainedFrame, replayQuestion } from '#rules/rulesets/index.ts';
import { compileRecipients, planFactSorts } from '#support/interventions/index.ts';
import { recipientStates } from '../enums.ts';
import { recipientDocument, toStored } from '../recipients/decide.ts';
import { LessonRecipient } from '../rows/store.ts';

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

/** Explains `recipient:<sessionId>.<studentId>` with the rules of the decision, not with those in force. */
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
  reading: ReadTransaction,
  { rules, clock }: Services,
  sessionId: string,
  studentId: number,
): Promise<Static<typeof ExplainedRecipient> | undefined> {
  const row = await reading(async (trx) =>
    LessonRecipient.query(trx).modify(inAnyOrganization).findOne({ sessionId, studentId }),
  );
  if (!row?.facts || row.ruleVersion === null) return undefined;
  const { facts, organizationId, state, reasonCode, overrideCode, ruleId } = row;
  const version = Number(row.ruleVersion.split('@')[1]);
  const bundle = await reading((trx) => rules.pinned(trx, { [recipientDocument]: version }));
  const call = replayQuestion(bundle.table(recipientDocument), { ...facts });
  const decisions = call ? [decisionOf(call, String(studentId))] : [];
  const replayed = toStored(compileRecipients(bundle)(facts));
  return {
    stampId: `recipient:${sessionId}.${studentId}`,
    kind: 'recipient',
    organizationId,
    studentId,
    asOf: row.decidedAt,
    ruleVersions: { [recipientDocument]: version },
    result: { state, reasonCode, overrideCode },
    decisions,
    matchesStored: replayed.ruleId === ruleId && replayed.reasonCode === reasonCode,
    ...reasonOf(await sentencesInForce(reading, { rules, clock }), 'BUNDLE', decisions, planFactSorts),
    from: { sessionId },
  };
}
