// Draft, gate and submission in one breath: for texts that come ready-made. Nothing is kept of one that is refused.
import type { Trx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { isError } from '../../rulesets/index.ts';
import type { Services } from '../../services.ts';
import { whileEditing } from '../gate/engine/second-opinion.ts';
import { examineDraft } from '../gate/gate.ts';
import type { RuleSet } from '../rule-sets/scopes.ts';
import { createDraft, type NewDraft } from './edit.ts';
import { defaultQuorum, submitDraft } from './review.ts';
import { updateDraft } from './store.ts';

/** Throws VALIDATION_ERROR with a detail for each finding of level error, and what `createDraft` and `submitDraft` throw. */
export async function proposeDraft(
  services: Services,
  trx: Trx,
  set: RuleSet,
  wish: NewDraft,
  userId: number,
  now: Date,
) {
  const draft = await createDraft(trx, set, wish, userId, now);
  const { findings, mutationScore, level } = await examineDraft(services, trx, draft, whileEditing, now);
  const errors = findings.filter(isError);
  if (errors.length > 0) {
    throw new AppError('VALIDATION_ERROR', 'The document does not pass the gate; see details.', {
      details: errors.map(({ ruleIds, code }) => ({ field: ruleIds[0] ?? 'document', issue: code })),
    });
  }
  const validated = await updateDraft(trx, draft.id, { state: 'validated', findings, mutationScore, level }, now);
  return { draft: await submitDraft(trx, validated, defaultQuorum, now), findings };
}
