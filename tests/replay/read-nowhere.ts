// Rule documents that no recorded engine reads, each with its use.
export const readNowhere: Readonly<Record<string, string>> = {
  'band-descriptions/teacher': 'texts for teachers, shown unchanged',
  'bundle/session-codes': 'closed words, compared with those that code knows',
  'catalogue/terms': 'words of explanations, which are shown and decide nothing',
  'language/context-flags': 'a dictionary, shown unchanged',
  'operations/approvals': 'how old a report may be that an approval quotes',
  'operations/retention': 'periods, after which rows are removed',
  'qa/checks': 'checks of the service itself, which no result depends on',
};
