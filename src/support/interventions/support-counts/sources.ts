// Where answers with and without support to items of the banks come from. A new kind of such a session is one more line here;
// answers in sessions of plans come from the capabilities that hold them (`sessionAnswers`).
import { diagnosticAnswers, practiceQueueAnswers, type SupportedAnswersReader } from '#assessment/measurement/index.ts';

export const answerReaders: readonly SupportedAnswersReader[] = [diagnosticAnswers, practiceQueueAnswers];
