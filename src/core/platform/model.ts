// The base of all Objection models. Every query names its transaction; without one Objection has no connection and throws.
import { Model, type Pojo } from 'objection';
import { platformOrganizationId } from './pure/platform-organization.ts';

export abstract class Row extends Model {
  override $formatDatabaseJson(json: Pojo): Pojo {
    const formatted = super.$formatDatabaseJson(json);
    if (formatted.organizationId === null) formatted.organizationId = platformOrganizationId;
    return formatted;
  }
}
