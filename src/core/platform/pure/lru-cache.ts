// A cache that evicts the least recently used value: a process that lives for months must not keep everything that it ever made.

export interface LruCache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}

export function lruCache<Value>(maxSize: number): LruCache<Value> {
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
      if (values.size > maxSize && oldest !== undefined) values.delete(oldest);
    },
  };
}
