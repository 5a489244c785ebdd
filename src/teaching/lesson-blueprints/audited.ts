// The recorded changes of imports. Published blueprints are not recorded, because they follow from an approval.
import type { AuditedTables } from '#core/module/audit-writer.ts';

export const auditedBlueprints: AuditedTables = { blueprint_batch: { id: 'id', fields: ['batch_code', 'state'] } };
