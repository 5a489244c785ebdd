// Enums and constants of impact reports.

/** `same`: the outcomes are equal; `lateral`: the change is neither better nor worse. */
export const directions = ['better', 'worse', 'lateral', 'same'] as const;
export type Direction = (typeof directions)[number];

/** The outcome of a layer that was not evaluated for a subject. */
export const notAsked = 'not_asked';

export const exemplarsOfTransition = 10;
