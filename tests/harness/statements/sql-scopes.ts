// Finds the tables that a statement reads without naming their organization. A nested statement and each side of a
// `union` must name it themselves.

/** The tokens of one statement, without those of nested statements. */
type Tokens = string[];

const opens: ReadonlySet<string> = new Set(['select', 'with', 'insert', 'update', 'delete']);
const sides: ReadonlySet<string> = new Set(['union', 'except', 'intersect']);
const endsTables: ReadonlySet<string> = new Set(['where', 'group', 'order', 'limit', 'for', 'returning', 'set']);
const noAlias: ReadonlySet<string> = new Set([
  ...endsTables,
  ...sides,
  ...['on', 'using', 'left', 'right', 'inner', 'full', 'cross', 'join', 'natural', 'having', 'window', 'offset'],
]);

/** Returns the tables of `tables` that a part of `sql` reads without a condition on their own `organization_id`. */
export function namelessTables(sql: string, tables: ReadonlySet<string>): string[] {
  return statementsIn(sql).flatMap((tokens) =>
    tablesOf(tokens)
      .filter(({ table, alias }) => tables.has(table) && !namesOrganization(tokens, alias))
      .map(({ table, alias }) => (table === alias ? table : `${table} ${alias}`)),
  );
}

/** Comments and string literals are left out. A quoted name counts as a name. */
const tokensOf = (sql: string): Tokens =>
  sql
    .replace(/--.*$/gm, ' ')
    .replace(/\/\*[\s\S]*?\*\//g, ' ')
    .replace(/'(?:[^']|'')*'/g, ' ? ')
    .replaceAll('"', '')
    .toLowerCase()
    .match(/[a-z_]\w*|[(),.]|[^\s\w(),.]+|\d+/g) ?? [];

function statementsIn(sql: string): Tokens[] {
  const all: Tokens[] = [[]];
  const last = () => all.at(-1) ?? [];
  /** One entry for each open parenthesis. `own` is true when it contains a statement. */
  const open = [{ tokens: last(), own: true }];
  const tokens = tokensOf(sql);
  for (const [at, token] of tokens.entries()) {
    const inner = open.at(-1) ?? { tokens: last(), own: true };
    if (token === '(') {
      const own = opens.has(tokens[at + 1] ?? '');
      if (own) all.push([]);
      else inner.tokens.push(token);
      open.push({ tokens: own ? last() : inner.tokens, own });
    } else if (token === ')') {
      open.pop();
      (inner.own ? open.at(-1) : inner)?.tokens.push(inner.own ? '?' : token);
    } else if (sides.has(token)) {
      all.push([]);
      inner.tokens = last();
    } else inner.tokens.push(token);
  }
  return all;
}

/** Tables after `from`, `join`, `update` and the commas of a list of tables. */
function tablesOf(tokens: Tokens): { table: string; alias: string }[] {
  let listed = false;
  return tokens.flatMap((token, at) => {
    const [before, earlier] = [tokens[at - 1] ?? '', tokens[at - 2] ?? ''];
    if (token === 'from') listed = true;
    if (endsTables.has(token)) listed = false;
    const updated = before === 'update' && !['do', 'for', 'key'].includes(earlier);
    const read = before === 'join' || (before === 'from' && earlier !== 'distinct') || (listed && before === ',');
    if (!(updated || read || (before === 'using' && tokens[0] === 'delete')) || !/^[a-z_]/.test(token)) return [];
    const next = tokens[at + 1] === 'as' ? tokens[at + 2] : tokens[at + 1];
    const isAlias = next !== undefined && /^[a-z_]/.test(next) && !noAlias.has(next);
    return [{ table: token, alias: isAlias ? next : token }];
  });
}

/** Searches after the list of selected columns. */
function namesOrganization(tokens: Tokens, alias: string): boolean {
  const from = tokens[0] === 'update' ? 0 : Math.max(0, tokens.indexOf('from'));
  return tokens.some(
    (token, at) => at > from && token === 'organization_id' && (tokens[at - 1] !== '.' || tokens[at - 2] === alias),
  );
}
