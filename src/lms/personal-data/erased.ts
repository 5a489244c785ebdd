// What is left of a person who was erased: enough to know the same row of a roster again, and nothing else.
import type { SecretCipher } from '../../platform/keys/cipher.ts';

export const erasedHash = (
  cipher: Pick<SecretCipher, 'keyedHash'>,
  { organizationId, provider, externalId }: { organizationId: string; provider: string; externalId: string },
): string => cipher.keyedHash('erased roster person', JSON.stringify([organizationId, provider, externalId]));
