// The roles of a process.
export const processRoles = ['api', 'worker', 'both'] as const;
export type ProcessRole = (typeof processRoles)[number];
