// Enums of the family portal.

/** Outcomes of `growth-trend/tile`. */
export const trajectories = ['rising', 'steady', 'starting', 'needs_company', 'more_data_needed'] as const;
export type Trajectory = (typeof trajectories)[number];
