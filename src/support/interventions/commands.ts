// Commands on support for other capabilities and the demo, with the checks of their routes.

export { bulkActivate } from './clustering/bulk-activate.ts';
export { recomputeGroups } from './clustering/recompute.ts';
export { recordDeliveries } from './deliveries/record.ts';
export { situationsOf } from './situations/situations.ts';
export { activate } from './workflow/activate.ts';
export { review } from './workflow/review.ts';
