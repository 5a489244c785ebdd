// How much of a provider's list is read. What goes on beyond that is no list of a school.
import { protocolFault } from './faults.ts';

const mostPages = 10_000;
/** As of an uploaded file. */
const mostRows = 500_000;

export interface ListCount {
  /** Throws ProviderFault `provider_protocol` for the page, or the row, that is too many. */
  add(rows: number): void;
}

export function listCount(pages = mostPages): ListCount {
  let seenPages = 0;
  let seenRows = 0;
  return {
    add(rows) {
      seenPages++;
      seenRows += rows;
      if (seenPages > pages) throw protocolFault(`The provider's list has more than ${pages} pages.`);
      if (seenRows > mostRows) throw protocolFault(`The provider's list has more than ${mostRows} rows.`);
    },
  };
}
