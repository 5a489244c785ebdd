// What bands mean, as an answer. It is made once for each bundle that comes into force, so an activation drops it at once.
import { createHash } from 'node:crypto';
import { unavailable } from '#core/platform/errors.ts';
import { BundleError, type RuleBundle } from '#rules/rulesets/index.ts';
import { type BandAudience, bandDescriptions, bandDocuments } from '../../aggregates/index.ts';

interface Described {
  readonly body: ReturnType<typeof describe>;
  readonly etag: string;
}

const known = new WeakMap<RuleBundle, Partial<Record<BandAudience, Described>>>();

/** Throws ENGINE_UNAVAILABLE when the document is missing. */
export function bandsFor(bundle: RuleBundle, audience: BandAudience): Described {
  const made = known.get(bundle);
  const described = made?.[audience] ?? stamped(describe(bundle, audience));
  known.set(bundle, { ...made, [audience]: described });
  return described;
}

function describe(bundle: RuleBundle, audience: BandAudience) {
  const name = bandDocuments[audience];
  try {
    const items = bandDescriptions(bundle, audience).map(({ band, labelAr, descriptionAr }) => {
      return { band, labelAr, descriptionAr };
    });
    return { audience, ruleVersion: `${name}@${bundle.versions[name]}`, items };
  } catch (error) {
    if (error instanceof BundleError) throw unavailable('The rule document that describes bands is missing.');
    throw error;
  }
}

const stamped = (body: Described['body']): Described => ({
  body,
  etag: `"${createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 32)}"`,
});
