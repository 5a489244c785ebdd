// Operations of the table that are not served yet. Names are only removed.

export const unservedAtFirst = 223;

export const unserved: readonly string[] = [];
