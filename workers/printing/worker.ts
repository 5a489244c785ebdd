// The thread that lays out and prints documents.
import { printParts } from '../../src/platform/pdf/printing.ts';
import { answerOrders, runBehindRequests } from '../../src/platform/process/thread-answers.ts';

runBehindRequests();
answerOrders({ print: printParts }, async () => {});
