// What was made once and is asked for again and again, as long as it is among those that were asked for last: a process
// that lives for months must not keep everything that it ever made.

export interface Recent<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}

/** Keeps `most` values; of more, the one that was not asked for the longest is forgotten. */
export function recent<Value>(most: number): Recent<Value> {
  const values = new Map<string, Value>();
  const put = (key: string, value: Value) => {
    values.delete(key);
    values.set(key, value);
  };
  return {
    get: (key) => {
      const value = values.get(key);
      if (value !== undefined) put(key, value);
      return value;
    },
    set: (key, value) => {
      put(key, value);
      const [oldest] = values.keys();
      if (values.size > most && oldest !== undefined) values.delete(oldest);
    },
  };
}
