// Enums of versions and activations, as stored and returned.

/** The effect of a change on the readers of a document's answers. */
export const changeLevels = ['major', 'minor', 'patch'] as const;
export const activationKinds = ['install', 'activate', 'scheduled', 'rollback'] as const;

/** The reason of the first installation; people cannot give it. */
export const installReason = 'initial';
/** Reasons of an activation. `none_fits` is counted for the owner of this list. */
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
