// The thread that looks into drafts: stands here because it asks every capability what it reads.
import { capabilities } from '../../src/capabilities.ts';
import { answerQuestions } from '../../src/workbench/index.ts';

answerQuestions(capabilities);
