// What a process does.
export const processRoles = ['api', 'worker', 'both'] as const;
export type ProcessRole = (typeof processRoles)[number];
