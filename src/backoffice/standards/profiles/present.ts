// Presents a benchmark profile.
import type { ProfileVersion } from './versions.ts';

export const presentProfile = ({
  id,
  key,
  version,
  country,
  grade,
  measureCode,
  season,
  cuts,
  source,
  status,
  titleAr,
  createdBy,
  createdAt,
  publishedAt,
  activatedAt,
  retiredAt,
}: ProfileVersion) => ({
  ...{ key, version, country, grade, measureCode, season, cuts, source, status },
  ...{ id, titleAr, createdBy, createdAt, publishedAt, activatedAt, retiredAt },
});
