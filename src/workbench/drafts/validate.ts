// From draft to validated, or to the reasons why not.
import type { Trx } from '../../platform/db.ts';
import type { Services } from '../../services.ts';
import { whileEditing } from '../gate/engine/second-opinion.ts';
import { examineDraft } from '../gate/gate.ts';
import { requireState } from './edit.ts';
import { type DraftRow, holdDraft, updateDraft } from './store.ts';

/** Throws CONFLICT `state` for a draft that is judged or closed. */
export async function validateDraft(services: Services, trx: Trx, { id }: DraftRow, now: Date) {
  const draft = await holdDraft(trx, id);
  requireState(draft, ['draft', 'validated'], 'Only a draft that nobody judges yet can be validated.');
  const { valid, findings, mutationScore, level } = await examineDraft(services, trx, draft, whileEditing, now);
  await updateDraft(trx, id, { state: valid ? 'validated' : 'draft', findings, mutationScore, level }, now);
  return { valid, findings: [...findings], mutationScore };
}
