// The thread that runs chunks of long jobs, on connections of its own.
import { workerData } from 'node:worker_threads';
import { capabilities } from '#app/capabilities.ts';
import { itemBanks } from '#assessment/content/index.ts';
import { type ChunkData, chunkTasks } from '#backoffice/workbench/index.ts';
import { connectInThread } from '#core/platform/db.ts';
import { serveTasks } from '#core/platform/process/worker-tasks.ts';
import { activeRules } from '#rules/rulesets/index.ts';

const { connections, bankVersion } = workerData as ChunkData;
const db = connectInThread(connections);
const services = { capabilities, db, rules: activeRules(), itemBanks: itemBanks(undefined, { bankVersion }) };
serveTasks(chunkTasks(services), () => db.destroy());
