// Compares two JSON values without serializing them: most compared values are equal.

/** Returns whether both have the same canonical text: undefined members count as missing, −0 as 0. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one)) return Array.isArray(other) && isSameList(one, other);
  return !Array.isArray(other) && isSameObject(one as Members, other as Members);
}

type Members = Readonly<Record<string, unknown>>;

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (!isSameJson(one[at], other[at])) return false;
  return true;
}

/** Most objects have their members in the same order, and none undefined. */
function isSameObject(one: Members, other: Members): boolean {
  let members = 0;
  for (const key in one) {
    const value = one[key];
    if (value === undefined) continue;
    members += 1;
    if (!isSameJson(value, other[key])) return false;
  }
  for (const key in other) if (other[key] !== undefined) members -= 1;
  return members === 0;
}
