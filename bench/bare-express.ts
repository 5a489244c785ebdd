// What HTTP itself costs: Express with nothing but the answers in BODIES, a JSON object by path, written anew each time.
import express from 'express';

const bodies = JSON.parse(process.env.BODIES ?? '{}') as Readonly<Record<string, unknown>>;
const app = express();
for (const [path, body] of Object.entries(bodies)) app.get(path, (_request, response) => void response.json(body));
app.listen(Number(process.env.PORT), '127.0.0.1', () => process.stdout.write('ready\n'));
