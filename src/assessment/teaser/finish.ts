// Finishes a teaser: the answers are scored with the pinned versions of the session, and only the band is returned.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict, invalid } from '#core/platform/errors.ts';
import type { TeaserItem } from '../content/index.ts';
import { type Choices, scoreTeaser } from './engine/score.ts';
import { readTeaserValues, type TeaserBand, type TeaserValues } from './engine/values.ts';
import { wholeSet } from './item-sets.ts';
import { lockSession, requireToken } from './session.ts';
import { TeaserItemSet, TeaserSession } from './store.ts';
import { inTeaserTransaction } from './unavailable.ts';

export interface TeaserAnswers {
  readonly sessionId: string;
  readonly token: string;
  readonly responses: readonly { readonly itemId: string; readonly selectedOptionIndex: number }[];
}

export interface TeaserResult {
  readonly band: TeaserBand;
  readonly bandLabelAr: string;
  readonly bandDescriptionAr: string;
  readonly disclaimerAr: string;
}

/** Throws, checked in this order: NOT_FOUND, TOKEN_INVALID, VALIDATION_ERROR for an item, CONFLICT `completed`. */
export function finishTeaser<Result>(
  { db, rules }: Pick<Services, 'db' | 'rules'>,
  { sessionId, token, responses }: TeaserAnswers,
  now: Date,
  answer: (result: TeaserResult) => Result,
): Promise<Result> {
  return inTeaserTransaction(db, async (trx) => {
    const session = await lockSession(trx, sessionId);
    requireToken(session, token);
    const values = await pinnedValues(rules, trx, session);
    const items = await pinnedItems(trx, session, values);
    const choices = choicesOf(items, responses);
    if (session.status === 'completed') throw conflict('completed', 'This session has been finished already.');
    const { theta, band } = scoreTeaser(items, choices, values);
    await TeaserSession.query(trx)
      .findById(sessionId)
      .patch({
        status: 'completed',
        completedAt: now.toISOString(),
        responses: Object.fromEntries(choices),
        theta,
        band: band.band,
      });
    return answer(present(band, values));
  });
}

async function pinnedValues(rules: Services['rules'], trx: Trx, { ruleVersion }: TeaserSession): Promise<TeaserValues> {
  const version = Number(ruleVersion.slice(ruleVersion.lastIndexOf('@') + 1));
  return readTeaserValues(await rules.pinned(trx, { 'scoring/measurement': version }));
}

async function pinnedItems(trx: Trx, session: TeaserSession, values: TeaserValues): Promise<TeaserItem[]> {
  const { grade, subSkillId } = await TeaserItemSet.query(trx).findById(session.itemSetId).throwIfNotFound();
  return wholeSet({ grade, subSkillId, itemIds: session.itemIds }, session.itemSetVersion, values);
}

function choicesOf(items: readonly TeaserItem[], responses: TeaserAnswers['responses']): Choices {
  if (responses.length > items.length) throw invalid('responses', 'are more than the items of this session');
  const choices = new Map<string, number>();
  responses.forEach(({ itemId, selectedOptionIndex }, at) => {
    const item = items.find(({ id }) => id === itemId);
    if (!item) throw invalid(`responses.${at}.itemId`, 'is not an item of this session');
    if (choices.has(itemId)) throw invalid(`responses.${at}.itemId`, 'is answered twice');
    if (!item.options.some(({ index }) => index === selectedOptionIndex)) {
      throw invalid(`responses.${at}.selectedOptionIndex`, 'is not an option of this item');
    }
    choices.set(itemId, selectedOptionIndex);
  });
  return choices;
}

const present = (band: TeaserValues['bands'][number], values: TeaserValues): TeaserResult => ({
  band: band.band,
  bandLabelAr: values.labelPrefixAr + band.labelAr,
  bandDescriptionAr: band.descriptionAr,
  disclaimerAr: values.disclaimerAr,
});
