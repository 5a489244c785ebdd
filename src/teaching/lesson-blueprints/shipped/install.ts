// The batch of a release, published at the first start. A later release publishes new versions of changed blueprints, except
// for codes whose active version was published by people.
import fs from 'node:fs/promises';
import path from 'node:path';
import { rulesDir } from '#assessment/content/index.ts';
import type { Trx } from '#core/platform/db.ts';
import { canonicalHash, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { blueprintsIn } from '../imports/body.ts';
import { BlueprintBatch, insertBatch, lockBatches } from '../rows/batches.ts';
import { activeVersions, publishBlueprints } from '../rows/publish.ts';
import type { ImportBody } from '../schemas.ts';

/** Form A of every step. */
export const shippedFile = path.join(rulesDir, 'content/blueprints/seed-01.v1.json');
/** Form B of the goal steps. */
export const otherFormsFile = path.join(rulesDir, 'content/blueprints/seed-02.v2.json');

/**
 * Publishes the file without evaluating it, because the tests of a release have done so. A file that is installed is not
 * parsed again. Throws RangeError for a file that is no import.
 */
export const blueprintSeed =
  (file: string) =>
  async (trx: Trx, now: Date): Promise<void> => {
    const bytes = await fs.readFile(file);
    const contentHash = sha256Hex(bytes);
    if (await isInstalled(trx, contentHash)) return;
    await lockBatches(trx);
    if (await isInstalled(trx, contentHash)) return;
    const body: ImportBody = JSON.parse(bytes.toString());
    if (body.formatVersion !== 1 || !Array.isArray(body.blueprints)) throw new RangeError(`${file} is no import`);
    const blueprints = blueprintsIn(body).map((content) => ({ content, hash: canonicalHash(content) }));
    const codes = blueprints.map(({ content }) => content.blueprintCode);
    const active = await activeVersions(trx, codes);
    const shipped = blueprints.filter(({ content }) => active.get(content.blueprintCode)?.shipped !== false);
    const report = { blueprints: blueprints.length, errors: 0, warnings: 0, findings: [] };
    const { batchCode } = body;
    const batch = { batchCode, state: 'approved', importedBy: null, report, content: null, contentHash } as const;
    const { id } = await insertBatch(trx, batch, now);
    await publishBlueprints(trx, id, shipped, now);
  };

const isInstalled = async (trx: Trx, contentHash: string): Promise<boolean> =>
  (await BlueprintBatch.query(trx).where({ contentHash }).whereNull('importedBy').select('id').first()) !== undefined;
