// The worker thread that analyses drafts. It is above all layers because it asks every capability what it reads.
import { capabilities } from '#app/capabilities.ts';
import { answerQuestions } from '#backoffice/workbench/index.ts';

answerQuestions(capabilities);
