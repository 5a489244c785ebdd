// Operations of the table that are not served yet. A name leaves when its route arrives; none comes back.

export const unservedAtFirst = 223;

export const unserved: readonly string[] = [];
