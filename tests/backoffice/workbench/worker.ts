// The thread that works at chunks of long jobs, with the items of the tests.
import { workerData } from 'node:worker_threads';
import { capabilities } from '#app/capabilities.ts';
import { type ChunkData, chunkTasks } from '#backoffice/workbench/index.ts';
import { connectInThread } from '#core/platform/db.ts';
import { serveTasks } from '#core/platform/process/worker-tasks.ts';
import { activeRules } from '#rules/rulesets/index.ts';
import { testBanks } from '../../assessment/skill-status/evidence.ts';

const db = connectInThread((workerData as ChunkData).connections);
serveTasks(chunkTasks({ capabilities, db, rules: activeRules(), itemBanks: testBanks() }), () => db.destroy());
