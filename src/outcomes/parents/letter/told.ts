// The letter of one child, made where no transaction is open.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import type { StudentInScope } from '#identity/people/index.ts';
import { reportStopped } from '../alerts.ts';
import { familyFacts, rulesAt } from '../facts/read.ts';
import { voiceOf } from '../voice.ts';
import { dateInWords, type LetterContent, letterContent } from './content.ts';

interface Asking {
  readonly services: Services;
  readonly trx: Trx;
  readonly scope: StudentInScope;
  readonly now: Date;
}

export interface ToldLetter {
  readonly content: LetterContent;
  /** `2026-01-15` */
  readonly localDay: string;
}

/** Reads, and answers what says it. Throws ENGINE_UNAVAILABLE without rules; what it answers throws UnsafeSentence. */
export async function letterOf(
  { services, trx, scope, now }: Asking,
  operation: string,
): Promise<() => Promise<ToldLetter>> {
  const { id, organizationId, timeZone } = scope;
  const rules = await rulesAt({ services, trx, now });
  const voices = voiceOf(rules.bundle);
  const children = { organizationId, timeZone, studentIds: [id] };
  const [child] = await familyFacts({ services, trx, now }, rules, children);
  if (!child) throw new RangeError('a child in scope is not known');
  return async () => {
    try {
      const content = letterContent(rules, voices(child.fullNameAr), child, dateInWords(now, timeZone));
      return { content, localDay: localDate(now, timeZone) };
    } catch (error) {
      await reportStopped(services, { operation, versions: rules.bundle.versions }, error);
      throw error;
    }
  };
}
