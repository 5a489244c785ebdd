// Rule documents that no recorded engine reads, each with its use.
export const readNowhere: Readonly<Record<string, string>> = {
  'band-descriptions/teacher': 'words for teachers, shown as they stand',
  'bundle/session-codes': 'closed words, compared with those that code knows',
  'language/context-flags': 'a dictionary, shown as it stands',
  'operations/approvals': 'how old a report may be that an approval quotes',
  'operations/retention': 'periods, after which rows are removed',
  'qa/checks': 'checks of the service itself, which no result depends on',
};
