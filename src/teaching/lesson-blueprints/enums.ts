// Enums of lesson blueprints, shared by tables, schemas and code.

export const segmentKinds = ['opening', 'model', 'guided', 'practice', 'check', 'closing'] as const;
export type SegmentKind = (typeof segmentKinds)[number];

/** Two forms of one lesson ask other items of the same sub-skills. */
export const blueprintForms = ['A', 'B'] as const;
export type BlueprintForm = (typeof blueprintForms)[number];

export const blueprintStates = ['active', 'superseded'] as const;
export type BlueprintState = (typeof blueprintStates)[number];

export const batchStates = ['validated', 'invalid', 'approved', 'superseded'] as const;
export type BatchState = (typeof batchStates)[number];
