// Chooses the items of each lesson: in a bundle at a grade, step by step, so that a child gets other items than before as far
// as the bank allows. The choice is deterministic: the same bank and scripts give the same items.
import { createHash } from 'node:crypto';
import type { ItemBank } from '#assessment/content/index.ts';
import type { Item as BankItem } from '#assessment/content/items/engine/item.ts';
import { itemShapes } from './item-shapes.ts';
import type { PlannedBlueprint } from './plan.ts';
import { hasAllowedFields } from './script-placeholders.ts';

/** The difficulty that a role reaches within its cell: 0 the easiest item, 1 the hardest. */
const reach: Readonly<Record<string, number>> = {
  EXPLICIT_TEACHING: 0.2,
  GUIDED_PRACTICE: 0.35,
  RETRIEVAL_REVIEW: 0.3,
  CONTEXT_APPLICATION: 0.5,
  GRADE_TARGET_BRIDGE: 0.65,
  SCAFFOLD_FADING: 0.45,
  NEAR_TRANSFER: 0.7,
  PROGRESS_CHECK: 0.5,
  MAINTENANCE: 0.4,
};

/** The higher grade of a band gets slightly harder items than the lower. */
const gradeStep = 0.08;
/** Bundles that share a script get different items of about the same difficulty. */
const spread = 0.35;

/**
 * Near transfer needs words that were in no lesson before: the hardest items are reserved for it if there are several cells.
 */
const transferItems = 6;
const transfer = 'NEAR_TRANSFER';
const isBeforeTransfer = ({ bundle, stepNo, sessionRole, targets }: PlannedBlueprint): boolean =>
  targets.length > 1 &&
  sessionRole !== transfer &&
  bundle.steps.some((step) => step.sessionRole === transfer && step.stepNo > stepNo);

interface Wanted {
  readonly code: string;
  readonly shape: string | undefined;
  /** The fields that the script quotes. */
  readonly fields: readonly string[];
  /** Added to the difficulty of the role: a check goes from easy to hard. */
  readonly further: number;
}

const none: ReadonlySet<BankItem> = new Set();

/** The choices of one bundle at one grade for one skill group, in the order of its steps. */
export class ItemChoice {
  readonly #bank: Pick<ItemBank, 'cell'>;
  readonly #isAllowed: (text: string) => boolean;
  readonly #timesUsed = new Map<string, number>();
  readonly #timesChecked = new Map<string, number>();

  /**
   * `isAllowed` returns whether a text is allowed in a script for staff: a question may contain words that no note about a
   * child may.
   */
  constructor(bank: Pick<ItemBank, 'cell'>, isAllowed: (text: string) => boolean) {
    this.#bank = bank;
    this.#isAllowed = isAllowed;
  }

  /** Throws RangeError if the cell has no item left for this lesson, besides those that its other form asks. */
  take(planned: PlannedBlueprint, wanted: Wanted, taken: ReadonlySet<BankItem>, ofOtherForm = none): BankItem {
    const item = this.#best(planned, wanted, taken, ofOtherForm);
    this.#timesUsed.set(item.id, (this.#timesUsed.get(item.id) ?? 0) + 1);
    if (planned.hasGoal) this.#timesChecked.set(item.id, (this.#timesChecked.get(item.id) ?? 0) + 1);
    return item;
  }

  #best(
    planned: PlannedBlueprint,
    { code, shape, fields, further }: Wanted,
    taken: ReadonlySet<BankItem>,
    ofOtherForm: ReadonlySet<BankItem>,
  ): BankItem {
    const fits = shape === undefined ? () => true : itemShapes[shape];
    if (!fits) throw new RangeError(`there is no shape ${shape}`);
    const cell = this.#bank.cell(code, planned.band).filter(isUsable);
    const stems = new Set([...taken].map(({ stemGroup }) => stemGroup));
    const wanted = (reach[planned.sessionRole] ?? 0.5) + further + (planned.grade % 2 === 0 ? gradeStep : -gradeStep);
    const reserved = isBeforeTransfer(planned) ? Math.ceil(transferItems / planned.targets.length) : 0;
    const cost = (item: BankItem, at: number) => [
      at >= cell.length - reserved ? 1 : 0,
      planned.hasGoal ? (this.#timesChecked.get(item.id) ?? 0) : 0,
      this.#timesUsed.get(item.id) ?? 0,
      stems.has(item.stemGroup) ? 1 : 0,
      Math.abs(at / (cell.length - 1) - wanted) + spread * fraction(`${planned.bundle.bundle_id}/${item.id}`),
    ];
    const best = cell
      .map((item, at) => ({ item, cost: cost(item, at) }))
      .sort((left, right) => compared(left.cost, right.cost))
      .find(
        ({ item }) =>
          !taken.has(item) && !ofOtherForm.has(item) && fits(item) && hasAllowedFields(item, fields, this.#isAllowed),
      );
    if (!best) throw new RangeError(`${code}.${planned.band} has no item left for ${planned.bundle.bundle_id}`);
    return best.item;
  }
}

/** A blueprint may contain spoken texts of at most this length. */
const isUsable = ({ status, prompt }: BankItem): boolean => status === 'active' && prompt.speech.length <= 400;

function compared(left: readonly number[], right: readonly number[]): number {
  const at = left.findIndex((value, index) => value !== right[index]);
  return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}

const fractions = new Map<string, number>();

/** Returns a number from 0 to 1 that is derived from the text. */
function fraction(text: string): number {
  const known = fractions.get(text) ?? createHash('sha256').update(text).digest().readUInt32BE(0) / 0xff_ff_ff_ff;
  fractions.set(text, known);
  return known;
}
