// Reads a statement as far as it takes to say which tables it asks without naming their organization. A statement inside
// another one, and each side of a `union`, has to name it by itself.

/** The words of one statement, without those of the statements inside it. */
type Words = string[];

const opens: ReadonlySet<string> = new Set(['select', 'with', 'insert', 'update', 'delete']);
const sides: ReadonlySet<string> = new Set(['union', 'except', 'intersect']);
const endsTables: ReadonlySet<string> = new Set(['where', 'group', 'order', 'limit', 'for', 'returning', 'set']);
const noAlias: ReadonlySet<string> = new Set([
  ...endsTables,
  ...sides,
  ...['on', 'using', 'left', 'right', 'inner', 'full', 'cross', 'join', 'natural', 'having', 'window', 'offset'],
]);

/** Tables of `tables` that a part of `sql` asks without a condition on their own `organization_id`. */
export function namelessTables(sql: string, tables: ReadonlySet<string>): string[] {
  return statementsIn(sql).flatMap((words) =>
    tablesOf(words)
      .filter(({ table, alias }) => tables.has(table) && !names(words, alias))
      .map(({ table, alias }) => (table === alias ? table : `${table} ${alias}`)),
  );
}

/** Comments and texts are left out; a quoted name is a name. */
const wordsOf = (sql: string): Words =>
  sql
    .replace(/--.*$/gm, ' ')
    .replace(/\/\*[\s\S]*?\*\//g, ' ')
    .replace(/'(?:[^']|'')*'/g, ' ? ')
    .replaceAll('"', '')
    .toLowerCase()
    .match(/[a-z_]\w*|[(),.]|[^\s\w(),.]+|\d+/g) ?? [];

function statementsIn(sql: string): Words[] {
  const all: Words[] = [[]];
  const last = () => all.at(-1) ?? [];
  /** One for each open parenthesis; whether a statement of its own stands in it. */
  const open = [{ words: last(), own: true }];
  const words = wordsOf(sql);
  for (const [at, word] of words.entries()) {
    const inner = open.at(-1) ?? { words: last(), own: true };
    if (word === '(') {
      const own = opens.has(words[at + 1] ?? '');
      if (own) all.push([]);
      else inner.words.push(word);
      open.push({ words: own ? last() : inner.words, own });
    } else if (word === ')') {
      open.pop();
      (inner.own ? open.at(-1) : inner)?.words.push(inner.own ? '?' : word);
    } else if (sides.has(word)) {
      all.push([]);
      inner.words = last();
    } else inner.words.push(word);
  }
  return all;
}

/** Behind `from`, `join`, `update` and the commas of a list of tables. */
function tablesOf(words: Words): { table: string; alias: string }[] {
  let listed = false;
  return words.flatMap((word, at) => {
    const [before, earlier] = [words[at - 1] ?? '', words[at - 2] ?? ''];
    if (word === 'from') listed = true;
    if (endsTables.has(word)) listed = false;
    const updated = before === 'update' && !['do', 'for', 'key'].includes(earlier);
    const read = before === 'join' || (before === 'from' && earlier !== 'distinct') || (listed && before === ',');
    if (!(updated || read || (before === 'using' && words[0] === 'delete')) || !/^[a-z_]/.test(word)) return [];
    const next = words[at + 1] === 'as' ? words[at + 2] : words[at + 1];
    const isAlias = next !== undefined && /^[a-z_]/.test(next) && !noAlias.has(next);
    return [{ table: word, alias: isAlias ? next : word }];
  });
}

/** In what stands behind the columns that are selected. */
function names(words: Words, alias: string): boolean {
  const from = words[0] === 'update' ? 0 : Math.max(0, words.indexOf('from'));
  return words.some(
    (word, at) => at > from && word === 'organization_id' && (words[at - 1] !== '.' || words[at - 2] === alias),
  );
}
