// The thread that lays out and prints documents.
import { printParts } from '#core/platform/pdf/printing.ts';
import { answerOrders, runBehindRequests } from '#core/platform/process/thread-answers.ts';

runBehindRequests();
answerOrders({ print: printParts }, async () => {});
