// Closed words of versions and activations, as they are stored and answered.

/** What a change does to those who read a document's answers. */
export const changeLevels = ['major', 'minor', 'patch'] as const;
export const activationKinds = ['install', 'activate', 'scheduled', 'rollback'] as const;

/** Of the first start; no person may give it. */
export const installReason = 'initial';
/** What a version is put in force for. `none_fits` is counted for the dictionary's owner. */
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
