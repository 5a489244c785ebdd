// `npm run --silent evaluate -- ENGINE`: reads cases for one engine from stdin and writes its answers to stdout, both as JSON.
// No database, no clock.
import { text } from 'node:stream/consumers';

interface Engine {
  /** Throws Error that describes a fault of the input. */
  readonly evaluate: (input: unknown) => unknown;
}

interface Entry {
  /** The prefix of error messages. */
  readonly prefix: string;
  /** Each engine is loaded on demand. */
  readonly load: () => Promise<Engine>;
}

const engines = new Map<string | undefined, Entry>([
  ['sse', { prefix: 'sse:eval: ', load: () => import('./sse.ts') }],
  ['scoring', { prefix: '', load: () => import('./scoring.ts') }],
  ['interventions', { prefix: 'interventions:eval: ', load: () => import('./interventions.ts') }],
  ['language', { prefix: 'language:eval: ', load: () => import('./language.ts') }],
  ['rewards', { prefix: 'rewards:eval: ', load: () => import('./rewards.ts') }],
  ['aggregates', { prefix: 'aggregates:protect: ', load: () => import('./aggregates.ts') }],
]);

const entry = engines.get(process.argv[2]);
try {
  if (!entry) throw new Error(`npm run --silent evaluate -- ${[...engines.keys()].join('|')}`);
  const { evaluate } = await entry.load();
  const answers = await evaluate(JSON.parse(await text(process.stdin)));
  process.stdout.write(`${JSON.stringify(answers)}\n`);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  console.error(`${entry?.prefix ?? ''}${message.replaceAll(/\s+/g, ' ')}`);
  process.exitCode = 1;
}
