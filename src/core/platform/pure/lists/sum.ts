/** Returns the sum, added in the order of the list. */
export const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
