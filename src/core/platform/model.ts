// The base of all Objection models. Every query names its transaction; without one Objection has no connection and throws.
import { Model, type ModelClass, type Pojo } from 'objection';
import { platformOrganizationId } from './pure/platform-organization.ts';

export abstract class Row extends Model {
  /** Without it `first()` fetches all rows. */
  static override useLimitInFirst = true;

  override $formatDatabaseJson(json: Pojo): Pojo {
    const formatted = super.$formatDatabaseJson(json);
    if (formatted.organizationId === null) formatted.organizationId = platformOrganizationId;
    return formatted;
  }
}

/** Names of columns are properties of the interface. */
interface TableOptions<Column extends string> {
  /** The primary key; an insert returns it. */
  readonly id?: Column | readonly Column[];
  /** Columns of JSON, which are written from values and read as values. */
  readonly json?: readonly Column[];
}

/** Returns the model of a table whose columns an interface describes. */
export function modelOf<Columns extends object>(
  table: string,
  { id = 'id' as keyof Columns & string, json = [] }: TableOptions<keyof Columns & string> = {},
): ModelClass<Row & Columns> {
  class TableRow extends Row {
    static override tableName = table;
    static override idColumn = typeof id === 'string' ? id : [...id];
    static override jsonAttributes = [...json];
  }
  return TableRow as unknown as ModelClass<Row & Columns>;
}
