// The batch that comes with a release, published at the first start that finds it. A later file brings new versions of what
// it says otherwise; what people have published in the meantime is theirs, and left alone.
import fs from 'node:fs/promises';
import path from 'node:path';
import { rulesDir } from '#assessment/content/index.ts';
import type { Trx } from '#core/platform/db.ts';
import { canonicalHash, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { blueprintsIn } from '../imports/body.ts';
import { insertBatch, lockBatches } from '../rows/batches.ts';
import { activeVersions, publish } from '../rows/publish.ts';
import type { ImportBody } from '../schemas.ts';

export const shippedFile = path.join(rulesDir, 'content/blueprints/seed-01.v1.json');

/**
 * Tests of a release judge the file; here it is only published. What was installed once is not understood again. Throws
 * RangeError for a file of another kind.
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
    const ours = blueprints.filter(({ content }) => active.get(content.blueprintCode)?.shipped !== false);
    const report = { blueprints: blueprints.length, errors: 0, warnings: 0, findings: [] };
    const { batchCode } = body;
    const batch = { batchCode, state: 'approved', importedBy: null, report, content: null, contentHash } as const;
    const { id } = await insertBatch(trx, batch, now);
    await publish(trx, id, ours, now);
  };

const isInstalled = async (trx: Trx, contentHash: string): Promise<boolean> =>
  (await trx('blueprint_batch').where({ contentHash }).whereNull('importedBy').first('id')) !== undefined;
