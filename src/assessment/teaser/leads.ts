// Contact data of visitors. There is one row per session: given fields overwrite, omitted fields stay.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { invalid } from '#core/platform/errors.ts';
import { lockSession, requireToken } from './session.ts';
import { TeaserLead } from './store.ts';
import { inTeaserTransaction } from './unavailable.ts';

export interface LeadInput {
  readonly sessionId: string;
  readonly token: string;
  readonly email?: string;
  readonly whatsapp?: string;
  readonly source?: string;
}

type Contact = Pick<LeadInput, 'email' | 'whatsapp' | 'source'>;

const maxEmailLength = 254;
const emailShape = /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/;
/** E.164 */
const whatsappShape = /^\+[1-9][0-9]{6,14}$/;

/**
 * Saves a lead, before or after the finish. Throws, checked in this order: VALIDATION_ERROR, NOT_FOUND, TOKEN_INVALID.
 */
export async function saveLead<Result>(
  { db }: Pick<Services, 'db'>,
  input: LeadInput,
  now: Date,
  answer: () => Result,
): Promise<Result> {
  const contact = checkedContact(input);
  return inTeaserTransaction(db, async (trx) => {
    requireToken(await lockSession(trx, input.sessionId), input.token);
    await upsertLead(trx, input.sessionId, contact, now);
    return answer();
  });
}

/** Returns the given fields in their stored form. */
function checkedContact({ email, whatsapp, source }: Partial<Contact>): Contact {
  if (email === undefined && whatsapp === undefined) throw invalid('email', 'or whatsapp is required');
  if (whatsapp !== undefined && !whatsappShape.test(whatsapp)) throw invalid('whatsapp', 'is not an E.164 number');
  return {
    ...(email !== undefined && { email: checkedEmail(email) }),
    ...(whatsapp !== undefined && { whatsapp }),
    ...(source !== undefined && { source }),
  };
}

function checkedEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (email.length > maxEmailLength || !emailShape.test(email)) throw invalid('email', 'is not an email address');
  return email;
}

export interface LeadErasure {
  readonly email?: string;
  readonly whatsapp?: string;
}

/** Removes every lead with this address or number and returns the count. Requires the SUPER context. */
export async function eraseLeads(trx: Trx, input: LeadErasure): Promise<number> {
  const { email, whatsapp } = checkedContact(input);
  return TeaserLead.query(trx)
    .where((match) => {
      if (email !== undefined) match.orWhereRaw('lower(email) = ?', [email]);
      if (whatsapp !== undefined) match.orWhere({ whatsapp });
    })
    .delete();
}

async function upsertLead(trx: Trx, sessionId: string, contact: Contact, now: Date): Promise<void> {
  const at = now.toISOString();
  await TeaserLead.query(trx)
    .insert({ sessionId, ...contact, createdAt: at, updatedAt: at })
    .onConflict('sessionId')
    .merge({ ...contact, updatedAt: at });
}
