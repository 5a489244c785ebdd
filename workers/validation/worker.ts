// The thread that looks into drafts: stands here because it asks every capability what it reads.
import { capabilities } from '#app/capabilities.ts';
import { answerQuestions } from '#backoffice/workbench/index.ts';

answerQuestions(capabilities);
