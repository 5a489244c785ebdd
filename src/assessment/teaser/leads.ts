// How a visitor wants to be reached. One row a session: what is given overwrites, what is left out stays.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { invalid } from '#core/platform/errors.ts';
import { lockSession, requireToken } from './session.ts';
import { TeaserLead } from './store.ts';
import { inTeaser } from './unavailable.ts';

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

/** In this order: VALIDATION_ERROR, NOT_FOUND, TOKEN_INVALID. Allowed before and after the finish. */
export async function saveLead<Said>(
  { db }: Pick<Services, 'db'>,
  input: LeadInput,
  now: Date,
  answer: () => Said,
): Promise<Said> {
  const contact = checkedContact(input);
  return inTeaser(db, async (trx) => {
    requireToken(await lockSession(trx, input.sessionId), input.token);
    await upsertLead(trx, input.sessionId, contact, now);
    return answer();
  });
}

/** Only what was given, as it is stored. */
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

/** Removes every lead that left this address or this number, and answers how many. Needs the SUPER context. */
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
