// Builds the response with the descriptions of bands, once for each bundle, so that an activation replaces it at once.
import { createHash } from 'node:crypto';
import { oncePerBundle, type RuleBundle, requireDocuments } from '#rules/rulesets/index.ts';
import { type BandAudience, bandDescriptions, bandDocuments } from '../../aggregates/index.ts';

interface Described {
  readonly body: ReturnType<typeof describe>;
  readonly etag: string;
}

const describedIn = oncePerBundle((): Partial<Record<BandAudience, Described>> => ({}));

/** Throws ENGINE_UNAVAILABLE when the document is missing. */
export function bandsFor(bundle: RuleBundle, audience: BandAudience): Described {
  const known = describedIn(bundle);
  known[audience] ??= stamped(describe(bundle, audience));
  return known[audience];
}

function describe(bundle: RuleBundle, audience: BandAudience) {
  const name = bandDocuments[audience];
  const read = () => bandDescriptions(bundle, audience);
  const items = requireDocuments(read, 'The rule document that describes bands is missing.').map(
    ({ band, labelAr, descriptionAr }) => ({ band, labelAr, descriptionAr }),
  );
  return { audience, ruleVersion: `${name}@${bundle.versions[name]}`, items };
}

const stamped = (body: Described['body']): Described => ({
  body,
  etag: `"${createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 32)}"`,
});
