// Finds what a migration must not do in its phase. While an `expand` migration runs, processes of the previous release read and
// write: it removes nothing that they use, and takes no lock whose duration depends on the size of a table.
import { migrationFile, phaseOf } from '#core/platform/migrations/phases.ts';

/** Migrations of this day created the first databases, which had nothing to protect. */
export const cleanStart = '20261122_';

/** Returns the findings about a file of `migrations/`, in the order of its statements; none if it may run. */
export function findingsIn(file: string, source: string): string[] {
  if (!migrationFile.test(file)) return ['is named otherwise than <day>_<number>-<capability>.<expand or contract>.ts'];
  const name = file.replace(/\.ts$/, '');
  const text = withoutComments(source);
  switch (phaseOf(name)) {
    case undefined:
      return name.startsWith(cleanStart) ? [] : ['says neither .expand nor .contract'];
    case 'contract':
      return /\bmin_app\b/.test(text)
        ? aloneFindings(text)
        : ['takes away without raising min_app', ...aloneFindings(text)];
    case 'expand':
      return [...expandFindings(text), ...aloneFindings(text)];
  }
}

/** Removes comments; `https://…` is none. */
const withoutComments = (source: string): string =>
  source.replace(/\/\*[\s\S]*?\*\//g, ' ').replace(/(^|[^:])(\/\/|--)[^\n]*/g, '$1');

const anywhere: readonly (readonly [RegExp, string])[] = [
  [/\bdrop\b|\.drop[A-Z]\w*\(/i, 'drops something'],
  // A trigger before truncate protects against it.
  [/(?<!\bbefore\s+)\btruncate\b|\bdelete\s+from\b/i, 'removes rows'],
  [/\brename\b|\.rename\w*\(/i, 'renames something'],
  [/\balter\s+(column\s+)?\S+\s+(set\s+data\s+)?type\b|\.alter\(/i, 'changes a type'],
  [/\bset\s+not\s+null\b|\.dropNullable\(/i, 'forbids null in a column that has rows'],
  [/\bmin_app\b/i, 'raises min_app, which shuts older processes out'],
];

/** Removes statements that replace a check by one of the same name that is not valid, which only admits more rows. */
const withoutReplacedChecks = (text: string): string =>
  text.replace(/\bdrop\s+constraint\s+(\w+)/gi, (dropped, name) =>
    new RegExp(`\\badd\\s+constraint\\s+${name}\\s+check\\b[^;]*\\bnot\\s+valid\\b`, 'i').test(text) ? '' : dropped,
  );

function expandFindings(source: string): string[] {
  const text = withoutReplacedChecks(source);
  const found = anywhere.filter(([pattern]) => pattern.test(text)).map(([, finding]) => finding);
  const fresh = new Set(
    [...text.matchAll(/\bcreate\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?(\w+)/gi)].map(([, table]) => table),
  );
  for (const statement of statementsIn(text)) found.push(...statementFindings(statement, fresh));
  return [...new Set(found)];
}

/** Returns the statements. The body of a function, between dollars, is none, and text before a statement is code. */
const statementsIn = (text: string): string[] =>
  text
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .split(/[;`]/)
    .flatMap((part) => /\b(?:alter\s+table|create\s+(?:unique\s+)?index)\b[\s\S]*/i.exec(part)?.[0] ?? []);

function statementFindings(statement: string, fresh: ReadonlySet<string | undefined>): string[] {
  const index = /^create\s+(?:unique\s+)?index\b[\s\S]*?\bon\s+(?:only\s+)?(\w+)/i.exec(statement);
  if (index) return fresh.has(index[1]) ? [] : [`makes an index on ${index[1]} that is not concurrent`];
  const table = /^alter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?(\w+)/i.exec(statement)?.[1];
  if (table === undefined || fresh.has(table)) return [];
  return actionsIn(statement).flatMap((action) => actionFindings(action, table));
}

/** Splits a statement into actions at commas outside of brackets. */
function actionsIn(statement: string): string[] {
  let depth = 0;
  const actions = [''];
  for (const letter of statement) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (letter === ',' && depth === 0) actions.push('');
    else actions[actions.length - 1] += letter;
  }
  return actions;
}

const constraint = /\badd\s+(?:constraint\s+\w+\s+)?(?:check|foreign\s+key|unique|primary\s+key|exclude)\b/i;
const inColumn = /\b(?:check|references|unique|primary\s+key)\b/i;

function actionFindings(action: string, table: string): string[] {
  if (constraint.test(action)) {
    return /\bnot\s+valid\b|\busing\s+index\b/i.test(action)
      ? []
      : [`adds a constraint to ${table} that is not "not valid"`];
  }
  const column = /\badd\s+(?:column\s+)?(?:if\s+not\s+exists\s+)?(\w+)\s+([\s\S]*)/i.exec(action);
  if (!column) return [];
  const [, name, definition = ''] = column;
  const isNeeded = /\bnot\s+null\b/i.test(definition) && !/\bdefault\b/i.test(definition);
  return [
    ...(isNeeded ? [`adds ${table}.${name}, not null without a default`] : []),
    ...(inColumn.test(definition) ? [`adds a constraint to ${table} that is not "not valid"`] : []),
  ];
}

/** An index that is created concurrently cannot be in a transaction, and what is in none must be repeatable. */
function aloneFindings(text: string): string[] {
  const isAlone = /\btransaction:\s*false\b/.test(text);
  const indexes = [...text.matchAll(/\bconcurrentIndex\(/g)].length;
  if (/\bconcurrently\b/i.test(text)) return ['works concurrently by itself: concurrentIndex() can be repeated'];
  if (indexes > 0 && !isAlone) return ['makes a concurrent index and does not say `config = { transaction: false }`'];
  const batches = [...text.matchAll(/\binBatches\(/g)].length;
  if (batches > 0 && !isAlone) return ['works in batches and does not say `config = { transaction: false }`'];
  if (isAlone && (indexes + batches !== 1 || /\.raw\(|\.schema\b/.test(text))) {
    return ['runs without a transaction for something else than one concurrentIndex() or inBatches()'];
  }
  return [];
}
