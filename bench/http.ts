// What the service adds to HTTP: its own answers against bare Express with the same JSON, both in processes of their own.
import { freePort } from '../src/platform/postgres/processes.ts';
import { type Client, clientOf, load, signIn } from './client.ts';
import { assertEqual, type Contender, sideBySide } from './measure.ts';
import { duration, type Row, type Section, times } from './report.ts';
import { buildSchool } from './school.ts';
import { launch, type Service, withService } from './service.ts';

const callers = 8;
const requestsOfRound = 400;
const paths = ['/healthz', '/api/auth/me'] as const;

export const benchHttp = (): Promise<Section> => withService(measure);

async function measure(service: Service): Promise<Section> {
  const { teacher } = await buildSchool(service, 1, false);
  const token = await signIn(service, teacher);
  const own = clientOf(service.url, callers);
  const closing: (() => unknown)[] = [() => own.close()];
  try {
    const bodies = Object.fromEntries(
      await Promise.all(paths.map(async (path) => [path, JSON.parse(await own.ask('GET', path, token))] as const)),
    );
    const bare = await startBare(bodies, closing);
    for (const path of paths) assertEqual(path, JSON.parse(await bare.ask('GET', path)), bodies[path]);
    const timings = await sideBySide(
      paths.flatMap((path) => [
        contender(`bare ${path}`, () => bare.ask('GET', path)),
        contender(`service ${path}`, () => own.ask('GET', path, path === '/healthz' ? undefined : token)),
      ]),
      7,
    );
    return report((name) => timings.get(name) ?? Number.NaN);
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

async function startBare(bodies: object, closing: (() => unknown)[]): Promise<Client> {
  const port = await freePort();
  const environment = { PATH: process.env.PATH ?? '', PORT: String(port), BODIES: JSON.stringify(bodies) };
  await launch('bench/bare-express.ts', environment, closing);
  const client = clientOf(`http://127.0.0.1:${port}`, callers);
  closing.push(() => client.close());
  return client;
}

const contender = (name: string, ask: () => Promise<string>): Contender => ({
  name,
  operations: requestsOfRound,
  run: () => load(requestsOfRound, callers, ask),
});

function report(of: (name: string) => number): Section {
  const perSecond = (name: string) =>
    `${duration(of(name))}, ${Math.round(1e9 / of(name)).toLocaleString('en')} a second`;
  const rows = paths.flatMap((path): Row[] => [
    { contender: `service, GET ${path}`, result: perSecond(`service ${path}`) },
    {
      contender: `bare Express, GET ${path}`,
      result: perSecond(`bare ${path}`),
      ratio: times(of(`bare ${path}`), of(`service ${path}`)),
    },
  ]);
  return {
    title: 'HTTP',
    note: `${callers} callers on open connections, ${requestsOfRound} requests a round; the loader shares the machine. Asserted: the same JSON. /api/auth/me verifies the token and asks the database for session, limit and account; /healthz asks nothing.`,
    rows,
  };
}
