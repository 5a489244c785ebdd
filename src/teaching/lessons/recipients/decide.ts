// Who may take part in a session of a bundle (RCP), of many students at once, as things stand.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { perBundle } from '#rules/rulesets/index.ts';
import {
  compileRecipients,
  type RecipientAnswer,
  type RecipientQuestion,
  support,
} from '#support/interventions/index.ts';

export interface Decided extends Omit<RecipientAnswer, 'reasonCode'> {
  /** Null where nothing stands against it. */
  readonly reasonCode: string | null;
  /** `bundle/session-recipient@1` */
  readonly ruleVersion: string;
  readonly facts: RecipientQuestion;
}

export interface RecipientsQuestion {
  readonly organizationId: string;
  readonly bundleId: string;
  readonly studentIds: readonly number[];
  readonly now: Date;
}

export const recipientDocument = 'bundle/session-recipient';

const recipientRules = perBundle(compileRecipients, 'The rules of recipients are missing.');

/** By student; who is no living student of the organization is not there. Throws ENGINE_UNAVAILABLE. */
export async function decideRecipients(
  trx: Trx,
  services: Services,
  { organizationId, bundleId, studentIds, now }: RecipientsQuestion,
): Promise<ReadonlyMap<number, Decided>> {
  if (studentIds.length === 0) return new Map();
  const { rules: bundle } = await services.rules.at(trx, now);
  const ask = recipientRules(bundle);
  const ruleVersion = `${recipientDocument}@${bundle.versions[recipientDocument]}`;
  const { situations } = await support.situationsOf(trx, services, { organizationId, studentIds, now });
  return new Map(
    [...situations].map(([studentId, { profile, acuteOpen, input }]) => {
      const facts = {
        dndy: profile.outcome === 'do_not_decide_yet',
        dataIncomplete: profile.outcome === 'DATA_INCOMPLETE',
        acuteOpen,
        hasActive: input.assignments.some(({ bundle_id, state }) => bundle_id === bundleId && state === 'active'),
      };
      return [studentId, { ...answered(ask(facts)), facts, ruleVersion }];
    }),
  );
}

/** As it is kept. */
export const answered = ({ reasonCode, ...answer }: RecipientAnswer) => ({
  ...answer,
  reasonCode: reasonCode === 'none' ? null : reasonCode,
});
