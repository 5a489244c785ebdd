// Limits the pages and rows that are read of a provider's list. No school has a longer list.
import { protocolFault } from './faults.ts';

const maxPages = 10_000;
/** The limit is that of an uploaded file. */
const maxRows = 500_000;

export interface ListCount {
  /** Throws ProviderFault `provider_protocol` when a limit is exceeded. */
  add(rows: number): void;
}

export function countList(pages = maxPages): ListCount {
  let seenPages = 0;
  let seenRows = 0;
  return {
    add(rows) {
      seenPages++;
      seenRows += rows;
      if (seenPages > pages) throw protocolFault(`The provider's list has more than ${pages} pages.`);
      if (seenRows > maxRows) throw protocolFault(`The provider's list has more than ${maxRows} rows.`);
    },
  };
}
