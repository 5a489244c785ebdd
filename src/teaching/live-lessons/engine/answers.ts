// Which answers of a batch are accepted: devices send a batch again until they receive a response, and the first answer of a
// student to an item counts.

export interface LiveAnswerInput {
  /** UUID created by the device per answer. */
  readonly clientResponseId: string;
  readonly itemRef: string;
  readonly selectedOptionIndex: number;
  readonly supportUsed?: boolean;
}

export interface KeyedItem {
  readonly itemRef: string;
  readonly options: readonly string[];
  readonly correctOptionIndex: number;
}

/** The items that a student may answer at this moment. */
export interface Answerable {
  /** Null before the start, in a pause and after the end. */
  readonly currentItemRef: string | null;
  readonly responsesLocked: boolean;
  /** Items of the student's own run, to which the lock does not apply. */
  readonly ownItemRefs: readonly string[];
  readonly items: ReadonlyMap<string, KeyedItem>;
}

/** The stored answers of the student. */
export interface Answered {
  readonly clientResponseIds: ReadonlySet<string>;
  readonly itemRefs: ReadonlySet<string>;
}

export interface NewAnswer<Input extends LiveAnswerInput = LiveAnswerInput> {
  /** Index in the batch. */
  readonly at: number;
  readonly input: Input;
}

/** Returns the answers that are new. A repeated id and a further answer to an item are duplicates. */
export function newAnswersOf<Input extends LiveAnswerInput>(
  inputs: readonly Input[],
  { clientResponseIds, itemRefs }: Answered,
): NewAnswer<Input>[] {
  const ids = new Set(clientResponseIds);
  const items = new Set(itemRefs);
  return inputs.flatMap((input, at) => {
    if (ids.has(input.clientResponseId) || items.has(input.itemRef)) return [];
    ids.add(input.clientResponseId);
    items.add(input.itemRef);
    return [{ at, input }];
  });
}

/** Returns the index of the first answer whose option does not exist; undefined without one. */
export const firstOutOfRange = (
  fresh: readonly NewAnswer[],
  items: ReadonlyMap<string, KeyedItem>,
): number | undefined =>
  fresh.find(({ input: { itemRef, selectedOptionIndex } }) => {
    const item = items.get(itemRef);
    return item !== undefined && selectedOptionIndex >= item.options.length;
  })?.at;

export interface AnswerRefusal {
  readonly at: number;
  readonly issue: 'locked' | 'not_current';
}

/** Returns the first refusal, which refuses the whole batch. */
export function refusalOf(fresh: readonly NewAnswer[], answerable: Answerable): AnswerRefusal | undefined {
  for (const { at, input } of fresh) {
    const issue = refusalFor(input.itemRef, answerable);
    if (issue) return { at, issue };
  }
  return undefined;
}

function refusalFor(itemRef: string, { currentItemRef, responsesLocked, ownItemRefs, items }: Answerable) {
  if (!items.has(itemRef)) return 'not_current';
  if (ownItemRefs.includes(itemRef)) return undefined;
  if (itemRef !== currentItemRef) return 'not_current';
  return responsesLocked ? 'locked' : undefined;
}
