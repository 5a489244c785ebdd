// A thread of the live index: it holds a part of the students, on connections of its own.
import { workerData } from 'node:worker_threads';
import { capabilities } from '#app/capabilities.ts';
import { type LiveData, liveTasks } from '#backoffice/workbench/index.ts';
import { connectInThread } from '#core/platform/db.ts';
import { lowerPriority, serveTasks } from '#core/platform/process/worker-tasks.ts';
import { activeRules } from '#rules/rulesets/index.ts';

lowerPriority();
const { connections, ...options } = workerData as LiveData;
const db = connectInThread(connections);
serveTasks(liveTasks({ capabilities, db, rules: activeRules() }, options), () => db.destroy());
