// The closed words of notifications. Kinds, templates and how long each kind is kept are values of rule documents.

/** As they stand on the wire; each has a rule document, its name with `-` for `_`. */
export const kindWords = [
  'q5_24h_ack',
  'skill_alert_assigned',
  'student_alert_assigned',
  'benchmark_profile_swap',
  'dismissal_expiry',
  'plan_modification_suggestion',
  'cbm_alert_lifecycle',
  'parent_tsp_activation',
  'lms_connection_revoked',
] as const;
export type KindWord = (typeof kindWords)[number];

/** Most pressing first. */
export const severities = ['urgent', 'action_required', 'info'] as const;
export type Severity = (typeof severities)[number];

/** Of one that was stored. */
export const deliveryStates = ['delivered_in_app', 'read', 'dismissed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Of what a producer has asked for. `waiting`: until it is looked at, or until a language set is in force. */
export const requestStates = ['waiting', 'delivered', 'skipped', 'refused'] as const;
export type RequestState = (typeof requestStates)[number];

/** Why a request is given up for good. */
export const refusals = ['UnknownKind', 'PayloadInvalid', 'LanguageUnsafe'] as const;
export type Refusal = (typeof refusals)[number];
