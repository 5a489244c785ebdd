// Imports of lesson blueprints, and the published blueprints.
import { blueprintOf, buildBatch, buildBlueprint, importBody } from '../../../teaching/lesson-blueprints/rows.ts';
import type { Entries } from '../../requests/entry.ts';

export const sessionBlueprintEntries: Entries = {
  importBlueprints: { request: () => ({ body: importBody([blueprintOf()]) }) },
  listBlueprintImports: {},
  getBlueprintImport: { request: async ({ app }) => ({ params: { batchId: await buildBatch(app.database.owner) } }) },
  approveBlueprintImport: {
    request: async ({ app }) => ({ params: { batchId: await buildBatch(app.database.owner) }, body: {} }),
  },
  getBlueprint: { request: async ({ app }) => ({ params: { id: await buildBlueprint(app.database.owner) } }) },
  listSessionCatalog: { request: () => ({ query: { grade: 2, deliveryMode: 'blended' } }) },
};
