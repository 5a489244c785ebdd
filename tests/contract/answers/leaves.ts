// The names and strings of a response, at any depth.

export interface Leaf {
  readonly name: string;
  /** Undefined when the entry is the name of a property. */
  readonly text: string | undefined;
}

export function* leaves(value: unknown, name = ''): Generator<Leaf> {
  if (Array.isArray(value)) for (const member of value) yield* leaves(member, name);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      yield { name: key, text: undefined };
      yield* leaves(member, key);
    }
  } else if (typeof value === 'string') yield { name, text: value };
}

/** Items and passages are reviewed one by one. Names are data. */
export const contentNames = /^(text|speech|passage|fullNameAr|name|nameAr|className|schoolName|organizationName)$/;

export const isArabic = (text: string): boolean => /[\u0621-\u064a]/.test(text);
