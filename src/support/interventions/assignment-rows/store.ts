// Rows of assignments and of their deliveries.
import { Row } from '#core/platform/model.ts';
import type { Pause } from '../engine/assignments/delivered.ts';
import type { SessionResponse, StepState } from '../engine/assignments/steps.ts';
import type {
  AssignmentState,
  DeliveryMode,
  ObjectType,
  RoleCode,
  ScaffoldTier,
  TrackStatus,
} from '../engine/vocabulary.ts';
import type { AssignmentSource, CompletionResult, DeliverySource } from './enums.ts';

export class BundleAssignment extends Row {
  static override tableName = 'bundle_assignment';
  static override idColumn = ['organizationId', 'id'];
  static override jsonAttributes = ['steps', 'pauses', 'recommendation', 'facts', 'ruleVersions'];
  declare id: string;
  declare organizationId: string;
  declare studentId: number;
  /** The class of the open enrollment; the last one after the student has left. */
  declare classId: number;
  declare schoolYear: string;
  declare bundleId: string;
  declare catalogueVersion: number;
  declare objectType: ObjectType;
  declare state: AssignmentState;
  declare trackStatus: TrackStatus;
  declare scaffoldTier: ScaffoldTier;
  declare deliveryMode: DeliveryMode;
  /** Local date, as are all fields `…On`. */
  declare startOn: string;
  /** The day from which weeks are counted; null for a plan of before, which is counted from its start. */
  declare weeksFrom: string | null;
  declare plannedWeeks: number;
  declare sessionsPerWeek: number;
  declare steps: StepState[];
  declare currentStepNo: number | null;
  declare completionResult: CompletionResult | null;
  declare endedOn: string | null;
  /** Reason of the current pause, or of the stop. */
  declare reasonCode: string | null;
  declare pauses: Pause[];
  declare extensions: number;
  /** The day of the first daily run after the plan's end; null before it. */
  declare pastEndSince: string | null;
  /** The end of which the daily run has told, or was not to tell, that it has passed. */
  declare overdueToldFor: string | null;
  declare offTrackAcknowledgedAt: string | null;
  declare anchorRole: RoleCode | null;
  declare anchorSubSkillCode: string | null;
  declare sourceType: AssignmentSource;
  declare clusterKey: string | null;
  declare generationId: string | null;
  /** The response at that moment. */
  declare recommendation: Readonly<Record<string, unknown>>;
  /** The input of the recommendation, from which it can be replayed. */
  declare facts: Readonly<Record<string, unknown>>;
  /** The override of the activation. */
  declare overrideCode: string | null;
  /** The override of the newest move that the assignment's own advice does not support. */
  declare moveOverrideCode: string | null;
  declare providerUserId: number;
  /** Whether the plan was moved away from the classes of its provider, and no teacher of the new class carries it out yet. */
  declare awaitsProvider: boolean;
  declare activatedBy: number;
  declare activatedAt: string;
  declare ruleVersions: Readonly<Record<string, number>>;
}

export class BundleDelivery extends Row {
  static override tableName = 'bundle_delivery';
  static override idColumn = ['organizationId', 'id'];
  static override jsonAttributes = ['responses'];
  declare id: number;
  declare organizationId: string;
  declare schoolYear: string;
  declare assignmentId: string;
  declare studentId: number;
  declare sourceType: DeliverySource;
  declare sourceId: string;
  declare deliveredOn: string;
  /** The step that the delivery counts for, whatever step the session was prepared for. */
  declare stepNo: number | null;
  /** Delivered while the student was halted. */
  declare halted: boolean;
  /** Analysable and scored responses, on any sub-skill. */
  declare responses: SessionResponse[];
  declare recordedAt: string;
}

/** A recorded absence from a delivered session. */
export class BundleAbsence extends Row {
  static override tableName = 'bundle_absence';
  static override idColumn = ['organizationId', 'id', 'schoolYear'];
  declare id: number;
  declare organizationId: string;
  declare schoolYear: string;
  declare assignmentId: string;
  declare studentId: number;
  declare sourceType: string;
  declare sourceId: string;
  declare missedOn: string;
  declare recordedAt: string;
}
