// Generates `docs/events.md` from the capabilities: who raises what, with which payload, and who reacts.
import type { Capability } from '#core/module/capability.ts';
import type { EventKind } from '#core/module/events.ts';

const head = `# Events

Written by \`npm run generate\` from \`src/app/capabilities.ts\`. An event is a row of \`outbox\`, written in the transaction that
changes the facts; the relay puts it to those who react. Payloads hold ids and closed words only. They are checked when they
are written (a misfit undoes the work) and when they are read (a misfit is put aside for the reaction, tried again and parked
with \`OUTBOX_PARKED\`).
`;

export function eventsDocument(capabilities: readonly Capability[]): string {
  const reactions = capabilities.flatMap(({ reactions: own = [] }) => own);
  const sections = capabilities.flatMap(({ name, events = [] }) =>
    events.length === 0 ? [] : [`## ${name}`, ...events.map((kind) => eventSection(kind, reactions))],
  );
  return `${[head.trimEnd(), ...sections].join('\n\n')}\n`;
}

function eventSection(kind: EventKind, reactions: NonNullable<Capability['reactions']>): string {
  const names = reactions.filter(({ to }) => to.includes(kind)).map(({ name }) => `\`${name}\``);
  const payload = Object.entries(kind.payload.properties).map(([key, schema]) => `| ${key} | ${typeOf(schema)} |`);
  return [
    `### ${kind.topic}`,
    `${kind.summary} ${names.length === 0 ? 'No reaction yet.' : `Reactions: ${names.join(', ')}.`}`,
    ['| Payload | |', '|---|---|', ...payload].join('\n'),
  ].join('\n\n');
}

interface Described {
  readonly title?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Described[];
}

function typeOf(schema: object): string {
  const { title, type, enum: words, anyOf } = schema as Described;
  if (anyOf) return anyOf.map(typeOf).join(' or ');
  if (words) return words.map((word) => `\`${word}\``).join(', ');
  return title ?? type ?? 'any';
}
