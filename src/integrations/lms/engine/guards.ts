// When an import changes so much at once that a person reviews it first (contract 80 §1, "Guards").

const fewestOfMany = 5;
/** A larger share of the base counts as many. */
const shareOfMany = 0.2;
/** All of a base of at least this size count as many. */
const fewestOfAll = 2;

/** `base`: the number of existing ones. `all`: whether all of a small base count as many. */
export function isMany(count: number, base: number, { all }: { readonly all: boolean } = { all: true }): boolean {
  if (all && count >= fewestOfAll && count >= base) return true;
  return count >= fewestOfMany && count > base * shareOfMany;
}

/**
 * `teachers`: the active teachers of the class. `leaving` and `coming`: how many of them would go, and how many would be
 * added.
 */
export const losesLastTeacher = (teachers: number, leaving: number, coming: number): boolean =>
  leaving > 0 && teachers - leaving + coming <= 0;
