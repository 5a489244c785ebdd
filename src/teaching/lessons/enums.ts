// Enums of lessons, shared by tables and code.

export const lessonStates = ['draft', 'accepted', 'distributed', 'delivered', 'cancelled'] as const;
export type LessonState = (typeof lessonStates)[number];

/** Final states. */
export const closedStates = ['delivered', 'cancelled'] as const satisfies readonly LessonState[];

export const recipientStates = ['included', 'excluded'] as const;
export type RecipientState = (typeof recipientStates)[number];

/** The source of an answer: the student's own device, or later a teacher's offline device. */
export const answerWays = ['online', 'offline'] as const;
export type AnswerWay = (typeof answerWays)[number];

/** The recorded actions of a lesson. */
export const lessonActions = [
  ...(['created', 'edited', 'accepted', 'recipient_included'] as const),
  ...(['distributed', 'delivered', 'cancelled', 'pdf_requested'] as const),
] as const;
export type LessonAction = (typeof lessonActions)[number];

/** The printable documents of a lesson. */
export const paperVariants = ['student_sheet', 'teacher_guide', 'answer_key'] as const;
export type PaperVariant = (typeof paperVariants)[number];
