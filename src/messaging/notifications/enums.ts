// The closed words of notifications. Kinds are those that capabilities list; templates and how long each is kept are values of rule
// documents.

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
