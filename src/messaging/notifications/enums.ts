// Enums of notifications. Kinds are listed by capabilities; templates and retention periods are values of rule documents.

/** Most pressing first. */
export const severities = ['urgent', 'action_required', 'info'] as const;
export type Severity = (typeof severities)[number];

/** States of a stored notification. */
export const deliveryStates = ['delivered_in_app', 'read', 'dismissed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** States of a request. `waiting`: not looked at yet, or its language rules are not in force. */
export const requestStates = ['waiting', 'delivered', 'skipped', 'refused'] as const;
export type RequestState = (typeof requestStates)[number];

/** Why a request is given up permanently. */
export const requestRefusals = ['UnknownKind', 'PayloadInvalid', 'LanguageUnsafe'] as const;
export type RequestRefusal = (typeof requestRefusals)[number];
