// Finds people by the beginnings of words of their names and e-mail addresses, as people type them. The database keeps the
// keys (`user_search_key`): from each word on, the rest of the folded text without what separates words. So one range of keys
// has everyone in whose name the typed text begins a word, however the text and the name are split into words.
import type { Knex } from 'knex';
import type { Trx } from '#core/platform/db.ts';
import { inAnyOrganization } from '#core/platform/statements/any-organization.ts';
import { isOfOneOrganization } from '#core/platform/statements/tenant-statements.ts';

/** The length of a key, in characters. */
const maxKey = 100;
const lastCharacter = '\u{10ffff}';

/** Returns the words of a typed text, folded; none when nothing of it can be searched for. */
export async function searchWords(trx: Trx, typed: string): Promise<readonly string[]> {
  const { rows } = await trx.raw<{ rows: { words: string[] }[] }>('select search_words(?) as words', [typed]);
  return rows[0]?.words ?? [];
}

/**
 * Selects ids of people in one statement or two, which the planner can each serve by an index: those of whose name or address
 * the words together begin a word, and those of whom each word does. There is at least one word.
 */
export function peopleFound(
  trx: Trx,
  words: readonly string[],
  organizationId: string | undefined,
): readonly Knex.QueryBuilder[] {
  const startingFrom = (word: string) => startingWith(keysOf(trx, organizationId), 'found.key', word);
  const whole = startingFrom(words.join(''));
  const [longest = '', ...others] = words.toSorted((one, other) => other.length - one.length);
  if (others.length === 0) return [whole];
  const each = startingFrom(longest);
  for (const word of others) {
    const other = trx('user_search_key as other').select(trx.raw('1')).whereRaw(ofSameUser);
    each.whereExists(startingWith(other, 'other.key', word));
  }
  return [whole, each];
}

const ofSameUser = 'other.organization_id = found.organization_id and other.user_id = found.user_id';

/** The ids with the keys of one organization, or of all that a SUPER administrator sees. */
function keysOf(trx: Trx, organizationId: string | undefined): Knex.QueryBuilder {
  const keys = trx('user_search_key as found').select('found.userId');
  if (organizationId !== undefined) return keys.where({ 'found.organizationId': organizationId });
  return isOfOneOrganization(trx) ? keys : keys.modify(inAnyOrganization, 'found');
}

/** A range, not a pattern: policies let an index serve only comparisons. */
function startingWith(query: Knex.QueryBuilder, column: string, word: string): Knex.QueryBuilder {
  const start = [...word].slice(0, maxKey).join('');
  return query.where(column, '>=', start).where(column, '<', start + lastCharacter);
}
