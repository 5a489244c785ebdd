// Finds people by the beginnings of words of their names and e-mail addresses, as people type them. The database keeps the
// keys (`user_search_key`): from each word on, the rest of the folded text without what separates words. So one range of keys
// has everyone in whose name the typed text begins a word, however the text and the name are split into words.
import type { Knex } from 'knex';
import type { QueryBuilder } from 'objection';
import type { Trx } from '#core/platform/db.ts';
import { inAnyOrganization } from '#core/platform/statements/any-organization.ts';
import { isOfOneOrganization } from '#core/platform/statements/tenant-statements.ts';
import type { User } from '../records/users.ts';

/** The length of a key, in characters. */
const maxKey = 100;
const lastCharacter = '\u{10ffff}';
/** The most people of one organization that are read and sorted; a list of more is read in its order until a page is full. */
const maxSorted = 5_000;

/** Returns the words of a typed text, folded; none when nothing of it can be searched for. */
export async function searchWords(trx: Trx, typed: string): Promise<readonly string[]> {
  const { rows } = await trx.raw<{ rows: { words: string[] }[] }>('select search_words(?) as words', [typed]);
  return rows[0]?.words ?? [];
}

/** Restricts a statement on people to those who are found. */
type PeopleFound = (people: QueryBuilder<User, User[]>) => void;

/**
 * Returns the conditions of one statement or two, which an index can serve each: the people of whose name or address the words
 * together begin a word, and those of whom each word does. There is at least one word. The statistics of the database know
 * little of the beginnings of keys, so keys are counted first and the statements leave the planner no choice: it would
 * compare each person with each key.
 */
export async function peopleFound(
  trx: Trx,
  words: readonly string[],
  organizationId: string | undefined,
): Promise<readonly PeopleFound[]> {
  const isOfOne = organizationId !== undefined || isOfOneOrganization(trx);
  const searches = words.length === 1 ? [words] : [[words.join('')], words];
  const counts = await countKeys(trx, [...new Set(searches.flat())], { organizationId, isOfOne });
  const countOf = (word: string) => counts.get(word) ?? 0;
  return searches.map((search): PeopleFound => {
    const [rarest = '', ...others] = search.toSorted((one, other) => countOf(one) - countOf(other));
    if (isOfOne && countOf(rarest) > maxSorted) {
      return (people) => {
        for (const word of search) people.whereRaw(...keyOf(word, 'app_user.organization_id', 'app_user.id'));
      };
    }
    const ids = startingWith(keysOf(trx, organizationId).select('found.userId'), rarest);
    for (const word of others) ids.whereRaw(...keyOf(word, 'found.organization_id', 'found.user_id'));
    return (people) => (isOfOne ? people.whereRaw('app_user.id = any (array(?))', [ids]) : people.whereIn('id', ids));
  });
}

/** Returns how many keys begin with each word, in one statement; it stops counting above `maxSorted`. */
async function countKeys(
  trx: Trx,
  words: readonly string[],
  { organizationId, isOfOne }: { readonly organizationId: string | undefined; readonly isOfOne: boolean },
): Promise<ReadonlyMap<string, number>> {
  const counted = words.map((word, at) => {
    const keys = startingWith(keysOf(trx, organizationId).select('found.key'), word).limit(maxSorted + 1);
    // The order is that of the index, which the planner then reads.
    if (isOfOne) keys.orderBy('found.key');
    return trx.count({ count: '*' }).from(keys.as('keys')).as(`word${at}`);
  });
  const rows: Readonly<Record<string, string>>[] = await trx.select(counted);
  return new Map(words.map((word, at) => [word, Number(rows[0]?.[`word${at}`])]));
}

/** The keys of one organization, or of all that a SUPER administrator sees. */
function keysOf(trx: Trx, organizationId: string | undefined): Knex.QueryBuilder {
  const keys = trx('user_search_key as found');
  if (organizationId !== undefined) return keys.where({ 'found.organizationId': organizationId });
  return isOfOneOrganization(trx) ? keys : keys.modify(inAnyOrganization, 'found');
}

/** A range, not a pattern: policies let an index serve only comparisons. */
const startingWith = (keys: Knex.QueryBuilder, word: string): Knex.QueryBuilder =>
  keys.where('found.key', '>=', startOf(word)).where('found.key', '<', startOf(word) + lastCharacter);

/** The condition that a person has a key that begins with the word. Because of the offset it is evaluated for each person. */
const keyOf = (word: string, organizationColumn: string, userColumn: string): [sql: string, bindings: string[]] => [
  `exists (select from user_search_key as own where own.organization_id = ${organizationColumn}
     and own.user_id = ${userColumn} and own.key >= ? and own.key < ? offset 0)`,
  [startOf(word), startOf(word) + lastCharacter],
];

const startOf = (word: string): string => [...word].slice(0, maxKey).join('');
