// The thread that lays out and prints documents.
import { printParts } from '#core/platform/pdf/printing.ts';
import { lowerPriority, serveTasks } from '#core/platform/process/worker-tasks.ts';

lowerPriority();
serveTasks({ print: printParts }, async () => {});
