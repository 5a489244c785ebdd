/**
 * Does `work` on one value after the other. A value that fails keeps no other back: the first failure is thrown when all have
 * had their turn. `onFailure` is told of every one at once.
 */
export async function eachInTurn<Value>(
  values: Iterable<Value> | AsyncIterable<Value>,
  work: (value: Value) => Promise<unknown>,
  onFailure?: (error: unknown, value: Value) => unknown,
): Promise<void> {
  const failures: unknown[] = [];
  for await (const value of values) {
    try {
      await work(value);
    } catch (error) {
      failures.push(error);
      await onFailure?.(error, value);
    }
  }
  if (failures.length > 0) throw failures[0];
}
