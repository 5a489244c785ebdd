// The thread that parses large request bodies and files.
import { readLargeBody } from '#core/http/checks/large-body-task.ts';
import { parseJson } from '#core/platform/parsing/parse-json.ts';
import { lowerPriority, serveTasks } from '#core/platform/process/worker-tasks.ts';

lowerPriority();
serveTasks({ json: parseJson, body: readLargeBody }, async () => {});
