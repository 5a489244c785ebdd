/**
 * Runs `work` on one value after the other. A failure does not stop the others: the first one is thrown when all values have
 * been processed. `onFailure` is called with every error at once.
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
