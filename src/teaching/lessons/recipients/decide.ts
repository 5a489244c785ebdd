// The rules (RCP) that decide which students may take part in a lesson of a bundle, evaluated for many students together.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { perBundle } from '#rules/rulesets/index.ts';
import {
  compileRecipients,
  type RecipientAnswer,
  type RecipientQuestion,
  supportCommands,
} from '#support/interventions/index.ts';
import type { LessonRow } from '../rows/store.ts';

export interface RecipientDecision extends Omit<RecipientAnswer, 'reasonCode'> {
  /** Null when the student may take part. */
  readonly reasonCode: string | null;
  /** `bundle/session-recipient@1` */
  readonly ruleVersion: string;
  readonly facts: RecipientQuestion;
}

export interface RecipientsInput {
  readonly organizationId: string;
  readonly bundleId: string;
  readonly studentIds: readonly number[];
  readonly now: Date;
}

export const recipientDocument = 'bundle/session-recipient';

const recipientRules = perBundle(compileRecipients, 'The rules of recipients are missing.');

/** Returns decisions by student id, without unknown and erased students. Throws ENGINE_UNAVAILABLE. */
export async function decideRecipients(
  trx: Trx,
  services: Services,
  { organizationId, bundleId, studentIds, now }: RecipientsInput,
): Promise<ReadonlyMap<number, RecipientDecision>> {
  if (studentIds.length === 0) return new Map();
  const { rules: bundle } = await services.rules.at(trx, now);
  const ask = recipientRules(bundle);
  const ruleVersion = `${recipientDocument}@${bundle.versions[recipientDocument]}`;
  const { situations } = await supportCommands.situationsOf(trx, services, { organizationId, studentIds, now });
  return new Map(
    [...situations].map(([studentId, { profile, acuteOpen, input }]) => {
      const facts = {
        dndy: profile.outcome === 'do_not_decide_yet',
        dataIncomplete: profile.outcome === 'DATA_INCOMPLETE',
        acuteOpen,
        hasActive: input.assignments.some(({ bundle_id, state }) => bundle_id === bundleId && state === 'active'),
      };
      return [studentId, { ...toStored(ask(facts)), facts, ruleVersion }];
    }),
  );
}

/** Converts the rule's answer to its stored form, in which the reason `none` is null. */
export const toStored = ({ reasonCode, ...answer }: RecipientAnswer) => ({
  ...answer,
  reasonCode: reasonCode === 'none' ? null : reasonCode,
});

/** `overrideCode` is the reason with which a person overrides a soft exclusion. */
export const recipientRow = (
  { organizationId, id: sessionId }: Pick<LessonRow, 'organizationId' | 'id'>,
  studentId: number,
  { outcome, ruleId, ruleVersion, facts, reasonCode }: RecipientDecision,
  now: Date,
  overrideCode: string | null = null,
) => ({
  organizationId,
  sessionId,
  studentId,
  ruleId,
  ruleVersion,
  facts,
  reasonCode,
  overrideCode,
  state: outcome === 'included' || overrideCode !== null ? ('included' as const) : ('excluded' as const),
  present: null,
  decidedAt: now.toISOString(),
});
