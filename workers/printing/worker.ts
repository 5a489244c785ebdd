// The thread that lays out and prints documents.
import { printParts } from '../../src/platform/pdf/printing.ts';
import { answerOrders } from '../../src/platform/process/thread-answers.ts';

answerOrders({ print: printParts }, async () => {});
