// Items and banks for the tests of measurement.
import { type ItemBank, itemBank } from '#assessment/content/items/engine/bank.ts';
import type { Item } from '#assessment/content/items/engine/item.ts';

/** A right option at index 0 and two wrong ones. */
export function itemOf(overrides: Partial<Item> = {}): Item {
  const id = overrides.id ?? 'DEC_WORD-G12-01';
  return {
    id,
    publicId: `public-${id}`,
    subSkillCode: 'DEC_WORD',
    gradeBand: 'G12',
    itemType: 'mcq_audio',
    prompt: { text: 'أَيُّ كَلِمَةٍ تَسْمَعُ؟', speech: 'بَابٌ', audioUrl: null, passage: null },
    options: ['بَابٌ', 'نَابٌ', 'دَابٌ'].map((text, index) => ({
      index,
      text,
      speech: null,
      audioUrl: null,
      microPattern: index === 1 ? 'dot_confusion' : null,
      errorFamily: index === 1 ? 'orthographic' : null,
    })),
    correctIndex: 0,
    difficulty: 0,
    calibration: { n: 0, version: 'CAL@1' },
    designedPatterns: ['dot_confusion'],
    stemGroup: id.toLowerCase(),
    expectedSeconds: 20,
    status: 'active',
    version: 1,
    ...overrides,
  };
}

/** `count` items of each sub-skill on the ladder −2.2, −1.8, …, in band G12. */
export function bankOf(counts: Readonly<Record<string, number>>, overrides: Partial<Item> = {}): ItemBank {
  const items = Object.entries(counts).flatMap(([subSkillCode, count]) =>
    Array.from({ length: count }, (_, index) =>
      itemOf({
        id: `${subSkillCode}-G12-${String(index + 1).padStart(2, '0')}`,
        subSkillCode,
        difficulty: (4 * (index % 12) - 22) / 10,
        ...overrides,
      }),
    ),
  );
  return itemBank({ version: 1, items });
}
