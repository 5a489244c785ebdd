// Turns the authors' cells into the bank: ids, difficulties and the place of the right option follow from position alone,
// so that the same source gives the same bytes.
import { sha256Hex } from '../../../platform/pure/canonical-json.ts';
import type { BankDocument } from './bank.ts';
import type { Item, ItemOption, ItemType } from './item.ts';
import type { SourceCell, SourceItem } from './source.ts';

export interface BankRules {
  /** Place of each sub-skill in the catalogue, from 1. */
  readonly orderOf: ReadonlyMap<string, number>;
  /** microPattern → errorFamily */
  readonly familyOf: ReadonlyMap<string, string>;
  readonly expectedSeconds: Readonly<Record<ItemType, number>>;
  readonly calibrationVersion: string;
}

/** Twelve steps of 0.4 logits from −2.2 to 2.2; further items walk the ladder again. */
const ladder = { lowest: -2.2, step: 0.4, rungs: 12 } as const;
const bankVersion = 1;

export function buildBank(cells: readonly SourceCell[], rules: BankRules): BankDocument {
  const ordered = [...cells].sort(
    (a, b) => orderOf(a, rules) - orderOf(b, rules) || (a.gradeBand < b.gradeBand ? -1 : 1),
  );
  return {
    version: bankVersion,
    items: ordered.flatMap((cell) => cell.items.map((item) => buildItem(cell, item, rules))),
  };
}

const orderOf = ({ subSkillCode }: SourceCell, rules: BankRules): number => rules.orderOf.get(subSkillCode) ?? 0;

function buildItem(cell: SourceCell, source: SourceItem, rules: BankRules): Item {
  const { subSkillCode, gradeBand } = cell;
  const id = `${subSkillCode}-${gradeBand}-${String(source.k).padStart(2, '0')}`;
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
    options: optionsOf(source, correctIndex, rules),
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

/** Item k counts from 1. In tenths, so that no sum of floats creeps in. */
const difficultyOf = (k: number): number =>
  Math.round(ladder.lowest * 10 + ladder.step * 10 * ((k - 1) % ladder.rungs)) / 10;

/** The distractors keep their order around the right option. */
function optionsOf(source: SourceItem, correctIndex: number, { familyOf }: BankRules): ItemOption[] {
  const wrong = source.distractors.map(({ text, microPattern, errorFamily }) => ({
    text,
    microPattern: microPattern ?? null,
    errorFamily: errorFamily ?? (microPattern === undefined ? null : (familyOf.get(microPattern) ?? null)),
  }));
  const right = { text: source.correct, microPattern: null, errorFamily: null };
  const all = [...wrong.slice(0, correctIndex), right, ...wrong.slice(correctIndex)];
  return all.map(({ text, microPattern, errorFamily }, index) => ({
    index,
    text,
    audioUrl: null,
    microPattern,
    errorFamily,
  }));
}

const readSubSkills = new Set(['LK_FORM', 'LK_SHAPE']);

/** How a sub-skill is asked: heard, read, from a passage, or at a glance. */
export function itemTypeOf(subSkillCode: string): ItemType {
  if (subSkillCode === 'FLU_WORD') return 'timed_choice';
  if (subSkillCode.startsWith('RC_')) return 'passage_mcq';
  const read = readSubSkills.has(subSkillCode) || /^(VOC|MOR)_/.test(subSkillCode);
  return read ? 'mcq_text' : 'mcq_audio';
}
