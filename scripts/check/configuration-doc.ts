// Generates `docs/operations/configuration.md` from the variables that `readConfig` reads and the combinations that it refuses.
import { configRefusals } from '#core/platform/config/refusals.ts';
import { variableGroups } from '#core/platform/config/variables.ts';

const head = `# Configuration

Written by \`npm run generate\` from \`src/core/platform/config/variables.ts\` and \`refusals.ts\`. The service reads its settings
once, at start, from environment variables. An empty variable counts as not set. A wrong value ends the start with one line
that says what the variable may be.
`;

const foot = `## Production

Run as many API processes (\`npm start\` with \`WORKERS=none\`) and worker processes (\`npm run worker\`) as needed on one
\`DATABASE_URL\` and \`REDIS_URL\`, under a process manager that restarts a process that has ended: a start ends with one line
while the database cannot be reached. A SUPER administrator has no permission in production before enrolling a second factor.
The first start, recovery of accounts, metrics and alerts are described in [Running the service](README.md).
`;

export function configurationDocument(): string {
  const sections = variableGroups.map(({ title, variables }) => {
    const rows = variables.map(
      ({ name, meaning, fallback = '', bounds, neededBy }) =>
        `| \`${name}\` | ${meaning} | ${fallback} | ${bounds} | ${neededBy} |`,
    );
    const table = ['| Variable | Meaning | Default | Values | Needed by |', '|---|---|---|---|---|', ...rows];
    return [`## ${title}`, table.join('\n')].join('\n\n');
  });
  const lines = configRefusals.map(({ line }) => `- ${line}`);
  const refused = ['## What a start refuses', lines.join('\n')].join('\n\n');
  return `${[head.trimEnd(), ...sections, refused, foot.trimEnd()].join('\n\n')}\n`;
}
