// The thread that makes bytes of others into values.
import { readLargeBody } from '../../src/http/checks/large-body-task.ts';
import { parseJson } from '../../src/platform/parsing/parse-json.ts';
import { answerOrders, runBehindRequests } from '../../src/platform/process/thread-answers.ts';

runBehindRequests();
answerOrders({ json: parseJson, body: readLargeBody }, async () => {});
