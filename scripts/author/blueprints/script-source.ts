// Reads the authored scripts of the shipped batch: one for each session role, skill group and band, in a file per group and
// band.
import fs from 'node:fs/promises';
import path from 'node:path';
import Type, { type Static } from 'typebox';
import { jsonValidator } from '#core/platform/pure/json-schema.ts';

export type Band = 'G12' | 'G34';

/**
 * Sub-skills of the items that a segment uses or refers to, with the shape that the script requires (`PA_SYLLABLE:count`); `*`
 * alternates the targets of the lesson.
 */
const SubSkills = Type.Array(Type.String({ pattern: '^([A-Z_]+(:[a-z]+)?|\\*)$' }), { maxItems: 12 });

const ScriptSegment = Type.Object(
  {
    kind: Type.Union(
      (['opening', 'model', 'guided', 'practice', 'check', 'closing'] as const).map((kind) => Type.Literal(kind)),
    ),
    minutes: Type.Integer({ minimum: 1, maximum: 25 }),
    /** May contain placeholders: `{1.heard}` for the first of `items`, `{a.key}` for the first of `examples`. */
    scriptAr: Type.String({ minLength: 40, maxLength: 1000 }),
    items: Type.Optional(SubSkills),
    /** Items that the teacher mentions and that students do not get, so that they reveal no answer. */
    examples: Type.Optional(SubSkills),
  },
  { additionalProperties: false },
);

const Script = Type.Object(
  {
    titleAr: Type.String({ minLength: 10, maxLength: 80 }),
    segments: Type.Array(ScriptSegment, { minItems: 3, maxItems: 8 }),
  },
  { additionalProperties: false },
);

export type ScriptSegment = Static<typeof ScriptSegment>;
export type Script = Static<typeof Script>;

const wrongScripts = jsonValidator(() => Type.Record(Type.String({ pattern: '^[A-Z_]+$' }), Script));

/** `ROLE.GROUP.BAND`. */
export const scriptKey = (role: string, group: string, band: Band): string => `${role}.${group}.${band}`;

/** Returns every authored script by its key. Throws Error with the findings if a file is invalid. */
export async function readScripts(rulesDir: string): Promise<Map<string, Script>> {
  const dir = path.join(rulesDir, 'content/blueprints/source');
  const names = (await fs.readdir(dir)).filter((name) => name.endsWith('.json')).sort();
  const scripts = new Map<string, Script>();
  for (const name of names) {
    const roles: unknown = JSON.parse(await fs.readFile(path.join(dir, name), 'utf8'));
    const wrong = wrongScripts(roles).map(({ instancePath, message }) => `${name}${instancePath} ${message}`);
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
    for (const [role, script] of Object.entries(roles as Record<string, Script>)) {
      scripts.set(`${role}.${name.slice(0, -'.json'.length)}`, script);
    }
  }
  return scripts;
}
