// The thread that makes bytes of others into values.
import { readLargeBody } from '#core/http/checks/large-body-task.ts';
import { parseJson } from '#core/platform/parsing/parse-json.ts';
import { answerOrders, runBehindRequests } from '#core/platform/process/thread-answers.ts';

runBehindRequests();
answerOrders({ json: parseJson, body: readLargeBody }, async () => {});
