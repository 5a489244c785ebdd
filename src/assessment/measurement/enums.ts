// Enums of sessions and assessments, as stored and returned.
export const diagnosticStatuses = ['IN_PROGRESS', 'PAUSED', 'FINISHED', 'EXPIRED'] as const;
export const finishReasons = ['completed', 'stopped_early', 'time_cap'] as const;
export const diagnosticEventTypes = ['pause', 'resume', 'audio_replay', 'focus_lost'] as const;
/** Why no further item of a sub-skill was served. */
export const estimateStopReasons = ['uniform', 'max_items', 'no_eligible_item', 'session_end'] as const;
export const queueStatuses = ['ACTIVE', 'COMPLETED', 'REPLACED'] as const;
export const warmupTypes = ['TRAINING', 'INTERVENTION_PRACTICE'] as const;
export const warmupEventTypes = ['answer', 'skip', 'pause', 'resume'] as const;
export const assessmentStatuses = ['OPEN', 'SCORED', 'INVALID', 'ABANDONED'] as const;
/** Evidence that can be taken back as a whole: a reading, a probe from paper, a diagnostic session, a practice queue. */
export const evidenceKinds = ['orf', 'cbm', 'diagnostic', 'practice'] as const;
export const voidReasons = ['wrong_student', 'wrong_entry', 'disturbed', 'technical_fault', 'none_fits'] as const;
/** What changes whose evidence counts, and which. */
export const corrections = ['voided', 'restored', 'merged', 'merge_undone'] as const;
export const behaviourSources = ['diagnostic', 'practice'] as const;
export const measureCodes = ['ORF_WCPM'] as const;
export const markKinds = ['correct', 'incorrect', 'omitted', 'self_corrected'] as const;
export const stopReasons = ['time_up', 'finished_early', 'discontinued', 'teacher_stop'] as const;
export const warmupStatuses = ['RUNNING', 'PAUSED', 'COMPLETED', 'ENDED_EARLY', 'EXPIRED'] as const;
