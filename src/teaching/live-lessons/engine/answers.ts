// Which answers of a batch are taken: devices send again until they are told that it arrived, and the first answer of a
// student to an item counts.

export interface AnswerInput {
  /** UUID of the device, one an answer. */
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

/** What a student may answer at this moment. */
export interface Answerable {
  /** Null before the start, in a pause and after the end. */
  readonly currentItemRef: string | null;
  readonly responsesLocked: boolean;
  /** Of the student's own run, which the lock does not touch. */
  readonly ownItemRefs: readonly string[];
  readonly items: ReadonlyMap<string, KeyedItem>;
}

/** What the session has of the student. */
export interface Answered {
  readonly clientResponseIds: ReadonlySet<string>;
  readonly itemRefs: ReadonlySet<string>;
}

export interface FreshAnswer<Input extends AnswerInput = AnswerInput> {
  /** Its place in the batch. */
  readonly at: number;
  readonly input: Input;
}

/** Those that are not known: a repeated id, and a further answer to an item, are duplicates whatever else they say. */
export function freshAnswers<Input extends AnswerInput>(
  inputs: readonly Input[],
  { clientResponseIds, itemRefs }: Answered,
): FreshAnswer<Input>[] {
  const ids = new Set(clientResponseIds);
  const items = new Set(itemRefs);
  return inputs.flatMap((input, at) => {
    if (ids.has(input.clientResponseId) || items.has(input.itemRef)) return [];
    ids.add(input.clientResponseId);
    items.add(input.itemRef);
    return [{ at, input }];
  });
}

/** Place of the first one whose option its item does not have; undefined: none. */
export const misshapenAt = (fresh: readonly FreshAnswer[], items: ReadonlyMap<string, KeyedItem>): number | undefined =>
  fresh.find(({ input: { itemRef, selectedOptionIndex } }) => {
    const item = items.get(itemRef);
    return item !== undefined && selectedOptionIndex >= item.options.length;
  })?.at;

export interface AnswerRefusal {
  readonly at: number;
  readonly issue: 'locked' | 'not_current';
}

/** The first of the batch; one refuses the whole batch. */
export function refusalOf(fresh: readonly FreshAnswer[], answerable: Answerable): AnswerRefusal | undefined {
  for (const { at, input } of fresh) {
    const issue = momentRefusal(input.itemRef, answerable);
    if (issue) return { at, issue };
  }
  return undefined;
}

function momentRefusal(itemRef: string, { currentItemRef, responsesLocked, ownItemRefs, items }: Answerable) {
  if (!items.has(itemRef)) return 'not_current';
  if (ownItemRefs.includes(itemRef)) return undefined;
  if (itemRef !== currentItemRef) return 'not_current';
  return responsesLocked ? 'locked' : undefined;
}
