// Prepares the letter of one child: reads in the transaction, renders after it.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import type { StudentInScope } from '#identity/people/index.ts';
import { reportStopped } from '../alerts.ts';
import { familyFacts, rulesAt } from '../facts/family-facts.ts';
import { renderForFamily } from '../render-for-family.ts';
import { dateInWords, type LetterContent, letterContent } from './content.ts';

interface RequestContext {
  readonly services: Services;
  readonly trx: Trx;
  readonly scope: StudentInScope;
  readonly now: Date;
}

export interface RenderedLetter {
  readonly content: LetterContent;
  /** `2026-01-15` */
  readonly localDay: string;
}

/**
 * Reads the facts and returns a function that renders the letter outside the transaction. Throws ENGINE_UNAVAILABLE
 * without rules; the returned function throws UnsafeSentence.
 */
export async function prepareLetter(
  { services, trx, scope, now }: RequestContext,
  operation: string,
): Promise<() => Promise<RenderedLetter>> {
  const { id, organizationId, timeZone } = scope;
  const rules = await rulesAt({ services, trx, now });
  const rendererFor = renderForFamily(rules.bundle);
  const children = { organizationId, timeZone, studentIds: [id] };
  const [child] = await familyFacts({ services, trx, now }, rules, children);
  if (!child) throw new RangeError('a child in scope is not known');
  return async () => {
    try {
      const content = letterContent(rules, rendererFor(child.fullNameAr), child, dateInWords(now, timeZone));
      return { content, localDay: localDate(now, timeZone) };
    } catch (error) {
      await reportStopped(services, { operation, versions: rules.bundle.versions }, error);
      throw error;
    }
  };
}
