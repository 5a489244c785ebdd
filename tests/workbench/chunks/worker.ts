// The thread that works at chunks of long jobs, with the items of the tests.
import { workerData } from 'node:worker_threads';
import { capabilities } from '../../../src/capabilities.ts';
import { connectAgain } from '../../../src/platform/db.ts';
import { answerOrders } from '../../../src/platform/process/thread-answers.ts';
import { activeRules } from '../../../src/rulesets/index.ts';
import { type ChunkData, chunkTasks } from '../../../src/workbench/index.ts';
import { testBanks } from '../../skill-status/evidence.ts';

const db = connectAgain((workerData as ChunkData).connections);
answerOrders(chunkTasks({ capabilities, db, rules: activeRules(), itemBanks: testBanks() }), () => db.destroy());
