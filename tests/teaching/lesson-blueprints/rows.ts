// Blueprints that tests publish without an import: a step of a bundle with six items of its target in a check.
import { randomInt } from 'node:crypto';
import type { Db, Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { canonicalHash } from '#core/platform/pure/canonical-json.ts';
import { insertRows } from '#core/platform/sql.ts';
import type { Blueprint, BlueprintItem } from '#teaching/lesson-blueprints/index.ts';

const now = new Date('2026-01-12T08:00:00.000Z');

export const itemOf = (itemRef: string, subSkillCode: string): BlueprintItem => ({
  itemRef,
  subSkillCode,
  taskType: 'mcq_text',
  promptAr: 'أَيُّ كَلِمَةٍ نَقْرَأُ؟',
  speechAr: null,
  passageAr: null,
  options: ['بَابٌ', 'بَابًا', 'دَارٌ'],
  optionSpeechAr: null,
  correctOptionIndex: 0,
});

/** Returns a valid blueprint: step 1 of BND-DECODE-01 at grade 2, whose targets are words to decode. */
export function blueprintOf(overrides: Partial<Blueprint> = {}): Blueprint {
  const { targetSubSkillCodes = ['DEC_WORD'] } = overrides;
  const items = [1, 2, 3, 4, 5, 6].map((no) => itemOf(`item-${no}`, targetSubSkillCodes[0] ?? ''));
  const itemRefs = items.map(({ itemRef }) => itemRef);
  return {
    ...{ blueprintCode: `TRY-${randomInt(1e9)}`, bundle_id: 'BND-DECODE-01', stepNo: 1 },
    ...{ sessionRole: 'EXPLICIT_TEACHING', grade: 2, scaffoldTier: null },
    ...{ deliveryModes: ['teacher_led_small_group', 'blended'], anchorSkillGroup: 'DEC_BASIC' },
    ...{ targetSubSkillCodes, durationMinutes: 20, titleAr: 'نَقْرَأُ الْكَلِمَاتِ' },
    segments: [
      { segmentNo: 1, kind: 'opening', minutes: 5, scriptAr: 'نَقْرَأُ مَعًا ثُمَّ نُجِيبُ.', itemRefs: [] },
      { segmentNo: 2, kind: 'check', minutes: 15, scriptAr: 'نَقْرَأُ الْكَلِمَاتِ كَلِمَةً كَلِمَةً.', itemRefs },
    ],
    items,
    ...overrides,
  };
}

/** Returns its id. Writes as the owner of the tables and supersedes an active version of the code. */
export async function buildBlueprint(
  owner: Db | Trx,
  overrides: Partial<Blueprint> = {},
  { version = 1, publishedAt = now }: { readonly version?: number; readonly publishedAt?: Date } = {},
): Promise<string> {
  const content = blueprintOf(overrides);
  const id = newId();
  const hash = canonicalHash(content);
  const batch = { id: newId(), batchCode: 'BUILT', state: 'approved', contentHash: hash };
  const report = { blueprints: 1, errors: 0, warnings: 0, findings: [] };
  await insertRows(owner as Trx, 'blueprint_batch', [
    { ...batch, report, createdAt: publishedAt, decidedAt: publishedAt },
  ]);
  await owner('session_blueprint')
    .where({ blueprintCode: content.blueprintCode, state: 'active' })
    .update({ state: 'superseded' });
  const { bundle_id: bundleId, ...rest } = content;
  const row = { id, ...rest, bundleId, version, state: 'active', batchId: batch.id, contentHash: hash, publishedAt };
  await insertRows(owner as Trx, 'session_blueprint', [row]);
  return id;
}

/** A user id that no account of a test has. */
const otherPerson = 999_999_999;

let batches = 0;

/** Returns the body of an import. */
export const importBody = (blueprints: readonly object[], batchCode = `BATCH-${++batches}-${randomInt(1e6)}`) => ({
  formatVersion: 1,
  batchCode,
  blueprints,
});

/** Creates an import that is pending approval and returns its id. Writes as the owner of the tables. */
export async function buildBatch(
  owner: Db | Trx,
  {
    blueprints = [blueprintOf()],
    importedBy = otherPerson,
  }: { blueprints?: readonly Blueprint[]; importedBy?: number } = {},
): Promise<string> {
  const report = { blueprints: blueprints.length, errors: 0, warnings: 0, findings: [] };
  const { batchCode } = importBody([]);
  const id = newId();
  const row = { id, batchCode, state: 'validated', importedBy, createdAt: now, report };
  const content = JSON.stringify(blueprints);
  await insertRows(owner as Trx, 'blueprint_batch', [{ ...row, content, contentHash: canonicalHash(blueprints) }]);
  return id;
}
