// Builds the bank from the authors' cells. Ids, difficulties and the position of the right option follow from the order
// alone, so that equal sources give equal bytes.
import { canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import type { BankDocument } from './bank.ts';
import { hasSpokenOptions, itemTypeOf } from './cell-kinds.ts';
import type { Item, ItemOption, ItemType } from './item.ts';
import type { SourceCell, SourceItem } from './source.ts';

export interface BankRules {
  /** Version of the bank that is built. */
  readonly version: number;
  /** The previous frozen bank: an unchanged item keeps its version. */
  readonly previous: ReadonlyMap<string, Item>;
  /** Position of each sub-skill in the catalogue, from 1. */
  readonly orderOf: ReadonlyMap<string, number>;
  /** microPattern → errorFamily */
  readonly familyOf: ReadonlyMap<string, string>;
  readonly expectedSeconds: Readonly<Record<ItemType, number>>;
  readonly calibrationVersion: string;
  /** Calibrated difficulties by item; other items have a nominal one. */
  readonly calibrated: ReadonlyMap<string, CalibratedItem>;
}

export interface CalibratedItem {
  /** Version of the item to which the answers were given. */
  readonly version: number;
  readonly n: number;
  readonly difficulty: number;
  /** `CAL@2` */
  readonly calibration: string;
}

/** Nominal difficulties: twelve steps of 0.4 logits from −2.2 to 2.2; further items repeat them. */
const ladder = { lowest: -2.2, step: 0.4, rungs: 12 } as const;

export function buildBank(cells: readonly SourceCell[], rules: BankRules): BankDocument {
  const ordered = [...cells].sort(
    (a, b) => orderOf(a, rules) - orderOf(b, rules) || (a.gradeBand < b.gradeBand ? -1 : 1),
  );
  return {
    version: rules.version,
    items: ordered.flatMap((cell) =>
      cell.items.map((item) => versioned(calibratedItem(buildItem(cell, item, rules), rules), rules)),
    ),
  };
}

const orderOf = ({ subSkillCode }: SourceCell, rules: BankRules): number => rules.orderOf.get(subSkillCode) ?? 0;

const itemIdOf = ({ subSkillCode, gradeBand }: SourceCell, k: number): string =>
  `${subSkillCode}-${gradeBand}-${String(k).padStart(2, '0')}`;

function buildItem(cell: SourceCell, source: SourceItem, rules: BankRules): Item {
  const { subSkillCode, gradeBand } = cell;
  const id = itemIdOf(cell, source.k);
  const itemType = itemTypeOf(subSkillCode);
  const correctIndex = (source.k + orderOf(cell, rules)) % (source.distractors.length + 1);
  const { text, speech, passage = null } = source.prompt;
  return {
    id,
    publicId: sha256Hex(id).slice(0, 16),
    subSkillCode,
    gradeBand,
    itemType,
    prompt: { text, speech, audioUrl: null, passage },
    options: optionsOf(cell, source, correctIndex, rules),
    correctIndex,
    difficulty: difficultyOf(source.k),
    calibration: { n: 0, version: rules.calibrationVersion },
    designedPatterns: source.designedPatterns,
    stemGroup: source.stemGroup,
    expectedSeconds: rules.expectedSeconds[itemType],
    status: 'active',
    version: 1,
  };
}

/** A calibration applies only to the item version to which the answers were given. */
function calibratedItem(item: Item, { calibrated, previous }: BankRules): Item {
  const found = calibrated.get(item.id);
  const before = previous.get(item.id);
  if (!found || !before) return item;
  const isAsked = found.version === before.version || found.calibration === before.calibration.version;
  if (!isAsked) return item;
  const { difficulty, n, calibration } = found;
  const isSame = contentOf({ ...item, difficulty }) === contentOf({ ...before, difficulty });
  return isSame ? { ...item, difficulty, calibration: { n, version: calibration } } : item;
}

/** A new item has version 1; a changed one has its previous version plus 1. */
function versioned(item: Item, { previous }: BankRules): Item {
  const before = previous.get(item.id);
  if (!before) return item;
  return { ...item, version: contentOf(item) === contentOf(before) ? before.version : before.version + 1 };
}

const contentOf = ({ version: _, calibration: __, ...content }: Item): string => canonicalJson(content);

/** Returns the difficulty of item k, from 1. Computed in tenths to avoid floating-point sums. */
const difficultyOf = (k: number): number =>
  Math.round(ladder.lowest * 10 + ladder.step * 10 * ((k - 1) % ladder.rungs)) / 10;

/** Inserts the right option between the distractors, which keep their order. */
function optionsOf(cell: SourceCell, source: SourceItem, correctIndex: number, { familyOf }: BankRules): ItemOption[] {
  const wrong = source.distractors.map(({ text, speech, microPattern, errorFamily }) => ({
    text,
    speech,
    microPattern: microPattern ?? null,
    errorFamily: errorFamily ?? (microPattern === undefined ? null : (familyOf.get(microPattern) ?? null)),
  }));
  const right = { text: source.correct, speech: source.correctSpeech, microPattern: null, errorFamily: null };
  const all = [...wrong.slice(0, correctIndex), right, ...wrong.slice(correctIndex)];
  const isSpoken = hasSpokenOptions(cell.subSkillCode);
  return all.map(({ text, speech = text, microPattern, errorFamily }, index) => ({
    index,
    text,
    speech: isSpoken ? speech : null,
    audioUrl: null,
    microPattern,
    errorFamily,
  }));
}
