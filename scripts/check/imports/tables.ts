// One way to a table: a statement of the query builder begins with the model of its table. `trx('a as b')` is allowed, because
// the rows of a join are the rows of no table.
import type { Sources } from './sources.ts';

/** Statements without a model, as `file: table`, with the reason. */
export const withoutModel: Readonly<Record<string, string>> = {
  'src/core/platform/migrations/schema-version.ts: knex_migrations': 'the table belongs to the migrations of knex',
  'src/integrations/lms/personal-data/forget.ts: lms_preview_row': 'the folder of previews imports this one',
};

const model =
  /class (\w+) extends Row \{\s+static override tableName = '(\w+)'|const (\w+) = modelOf<[\s\S]*?>\(\s*'(\w+)'/g;
const statement = /\b(?:trx|db|reader|owner)(?:<[^<>()]*>)?\(\s*'(\w+)',?\s*\)/g;

/** Returns the statements without a model, and the exceptions that nothing needs. */
export function tableFindings(sources: Sources, exceptions = withoutModel): string[] {
  const models = new Map([...sources.values()].flatMap(modelsIn));
  const found = new Map([...sources].flatMap(([file, text]) => statementsIn(file, text, models)));
  const unused = Object.keys(exceptions).filter((place) => !found.has(place));
  for (const place of Object.keys(exceptions)) found.delete(place);
  return [...found.values(), ...unused.map((place) => `an exception that nothing needs: ${place}`)].sort();
}

const modelsIn = (text: string): [table: string, name: string][] =>
  [...text.matchAll(model)].map(([, name, table, constant, constantTable]) => [
    table ?? constantTable ?? '',
    name ?? constant ?? '',
  ]);

function statementsIn(
  file: string,
  text: string,
  models: ReadonlyMap<string, string>,
): [place: string, finding: string][] {
  return [...text.matchAll(statement)].map(([, written = '']) => {
    const table = written.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const name = models.get(table);
    const remedy = name === undefined ? 'which has no model' : `past its model ${name}`;
    return [`${file}: ${table}`, `${file}: names "${table}", ${remedy} (scripts/check/imports/tables.ts)`];
  });
}
