// Why rules change: closed codes. `none_fits` is counted for the dictionary's owner.
export const activateReasons = [
  'scheduled_release',
  'evidence_update',
  'defect_fix',
  'policy_change',
  'none_fits',
] as const;
export type ActivateReason = (typeof activateReasons)[number];

export const rollbackReasons = ['defect_found', 'impact_unacceptable', 'activated_by_mistake', 'none_fits'] as const;
export type RollbackReason = (typeof rollbackReasons)[number];
