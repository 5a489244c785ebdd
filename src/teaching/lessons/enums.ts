// The closed words of blueprint sessions that tables and code share.

export const sessionStates = ['draft', 'accepted', 'distributed', 'delivered', 'cancelled'] as const;
export type SessionState = (typeof sessionStates)[number];

/** Nothing follows one of these. */
export const closedStates = ['delivered', 'cancelled'] as const satisfies readonly SessionState[];

export const recipientStates = ['included', 'excluded'] as const;
export type RecipientState = (typeof recipientStates)[number];

/** How an answer came: from the student's own device, or later from a teacher's that had no network. */
export const answerWays = ['online', 'offline'] as const;
export type AnswerWay = (typeof answerWays)[number];

/** What is told of a session's past. */
export const sessionActions = [
  ...(['created', 'edited', 'accepted', 'recipient_included'] as const),
  ...(['distributed', 'delivered', 'cancelled', 'pdf_requested'] as const),
] as const;
export type SessionAction = (typeof sessionActions)[number];

/** What may be printed of a session. */
export const paperVariants = ['student_sheet', 'teacher_guide', 'answer_key'] as const;
export type PaperVariant = (typeof paperVariants)[number];
