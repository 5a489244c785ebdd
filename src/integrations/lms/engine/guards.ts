// When so much changes at once that a person should look at it first (contract 80 §1, "Guards").

const fewestOfMany = 5;
/** More than this share of the base. */
const shareOfMany = 0.2;
/** From this many on all of the base are many. */
const fewestOfAll = 2;

/** `base`: how many there are; `all`: whether all of a small base count as many. */
export function isMany(count: number, base: number, { all }: { readonly all: boolean } = { all: true }): boolean {
  if (all && count >= fewestOfAll && count >= base) return true;
  return count >= fewestOfMany && count > base * shareOfMany;
}

/** Of a class's active teachers, how many would not teach it any more, and how many come. */
export const losesLastTeacher = (teachers: number, leaving: number, coming: number): boolean =>
  leaving > 0 && teachers - leaving + coming <= 0;
