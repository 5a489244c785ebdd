// The words of an impact report.

/** `same`: nothing changes; `lateral`: one of the two says neither better nor worse. */
export const directions = ['better', 'worse', 'lateral', 'same'] as const;
export type Direction = (typeof directions)[number];

/** The outcome of a layer that was not evaluated for a subject. */
export const notAsked = 'not_asked';

export const exemplarsOfTransition = 10;
