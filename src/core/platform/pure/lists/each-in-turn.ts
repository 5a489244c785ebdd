/**
 * Does `work` on one item after the other. An item that fails keeps no other back: the first failure is thrown when all have
 * had their turn. `onFailure` is told of every one at once.
 */
export async function eachInTurn<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<unknown>,
  onFailure?: (error: unknown, item: Item) => unknown,
): Promise<void> {
  const failures: unknown[] = [];
  for await (const item of items) {
    try {
      await work(item);
    } catch (error) {
      failures.push(error);
      await onFailure?.(error, item);
    }
  }
  if (failures.length > 0) throw failures[0];
}
