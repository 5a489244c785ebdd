// The thread that makes bytes of others into values.
import { parseJson } from '../../src/platform/parsing/parse-json.ts';
import { answerOrders } from '../../src/platform/process/thread-answers.ts';

answerOrders({ json: parseJson }, async () => {});
