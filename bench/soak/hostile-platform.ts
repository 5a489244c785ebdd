// A learning platform that was friendly when it was connected: it sends pages of empty objects, of nested arrays, without an
// end, and truncated responses.
import http from 'node:http';

const pageBytes = 4 * 1_048_576;
const json = { 'content-type': 'application/json' };
const pages = [
  `{"classes":[${'{},'.repeat(pageBytes / 3)}{}]}`,
  '['.repeat(pageBytes),
  `{"classes":"${'a'.repeat(pageBytes)}"}`,
];

type Answer = (request: http.IncomingMessage, response: http.ServerResponse) => void;

const friendly: Answer = (_, response) => {
  response.writeHead(200, json).end('{"classes":[],"orgs":[],"users":[],"enrollments":[]}');
};

/** Alternates the three pages, a list without end, and half of a response. */
function hostileInTurn(): Answer {
  let at = 0;
  return (request, response) => {
    const turn = at++ % (pages.length + 2);
    const page = pages[turn];
    if (page !== undefined) response.writeHead(200, json).end(page);
    else if (turn === pages.length) {
      const next = `<http://${request.headers.host}/school/next?at=${at}>; rel=next`;
      response.writeHead(200, { ...json, link: next }).end(`{"classes":[{"sourcedId":"c-${at}"}]}`);
    } else response.writeHead(200, { ...json, 'content-length': 1_000 }).write('{"classes":[');
  };
}

export async function startHostilePlatform(port: number): Promise<{ turnHostile(): void }> {
  let answer = friendly;
  const server = http.createServer((request, response) => answer(request.resume(), response));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    turnHostile() {
      answer = hostileInTurn();
    },
  };
}
