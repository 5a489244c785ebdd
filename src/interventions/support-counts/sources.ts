// Where answers with and without support come from. A new kind of session is one more line here.
import { diagnosticAnswers, practiceQueueAnswers, type SupportedAnswersReader } from '../../measurement/index.ts';

export const answerReaders: readonly SupportedAnswersReader[] = [diagnosticAnswers, practiceQueueAnswers];
