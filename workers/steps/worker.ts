// The thread that works at chunks of long jobs, on connections of its own.
import { workerData } from 'node:worker_threads';
import { capabilities } from '../../src/capabilities.ts';
import { itemBanks } from '../../src/content/index.ts';
import { connectAgain } from '../../src/platform/db.ts';
import { answerOrders } from '../../src/platform/process/thread-answers.ts';
import { activeRules } from '../../src/rulesets/index.ts';
import { type ChunkData, chunkTasks } from '../../src/workbench/index.ts';

const { connections, bankVersion } = workerData as ChunkData;
const db = connectAgain(connections);
const services = { capabilities, db, rules: activeRules(), itemBanks: itemBanks(undefined, { bankVersion }) };
answerOrders(chunkTasks(services), () => db.destroy());
