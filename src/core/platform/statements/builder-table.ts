// Which table a statement of the query builder is about. Both that read it out of the builder read it here.
import { snakeCaseMappers } from 'objection';

const { format: storedNames } = snakeCaseMappers();

/** `enrollment as e`: the table's name in the database, and the name it has in the statement. */
export function tableOf(written: unknown): readonly [table: string | undefined, alias: string] {
  if (typeof written !== 'string') return [undefined, ''];
  const [name = '', alias = name] = written.split(/ as /i);
  return [Object.keys(storedNames({ [name]: 0 }))[0], alias];
}
