// Which changes of imports are recorded, and which values are kept. What a batch publishes follows from its approval.
import type { AuditedTables } from '#core/module/audit-writer.ts';

export const auditedBlueprints: AuditedTables = { blueprint_batch: { id: 'id', fields: ['batch_code', 'state'] } };
