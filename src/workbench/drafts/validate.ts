// From draft to validated, or to the reasons why not.

import type { Services } from '../../kernel/services.ts';
import type { Trx } from '../../platform/db.ts';
import { conflict } from '../../platform/errors.ts';
import { whileEditing } from '../validation/engine/second-opinion.ts';
import { examination, type Verdict } from '../validation/gate.ts';
import { requireState } from './edit.ts';
import { type DraftRow, type DraftState, holdDraft, updateDraft } from './store.ts';

const open: readonly DraftState[] = ['draft', 'validated'];
const judged = 'Only a draft that nobody judges yet can be validated.';

/** What was examined, and how it came out. */
export interface Examined {
  readonly etag: string;
  readonly verdict: Verdict;
}

/** Throws CONFLICT `state` for a draft that is judged or closed. */
export async function validation(services: Services, trx: Trx, draft: DraftRow, now: Date) {
  requireState(draft, open, judged);
  const examine = await examination(services, trx, draft, whileEditing, now);
  return async (): Promise<Examined> => ({ etag: draft.etag, verdict: await examine() });
}

/** Writes the verdict to the draft. Throws CONFLICT `state`, and `draft_moved` for a draft that is another one by now. */
export async function keepVerdict(trx: Trx, { id }: DraftRow, examined: Examined, now: Date) {
  const draft = await holdDraft(trx, id);
  requireState(draft, open, judged);
  const { valid, findings, mutationScore, level } = verdictOn(draft, examined);
  await updateDraft(trx, id, { state: valid ? 'validated' : 'draft', findings, mutationScore, level }, now);
  return { valid, findings: [...findings], mutationScore };
}

/** Throws CONFLICT `draft_moved` when the draft is not any more what was examined. */
export function verdictOn({ etag }: DraftRow, examined: Examined | undefined): Verdict {
  if (examined?.etag === etag) return examined.verdict;
  throw conflict('draft_moved', 'The draft was changed meanwhile. Read it again, and try again.', 'etag');
}
