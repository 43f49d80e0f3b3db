export const runs = {
  'runs.hiddenCause': 'This did not work. The agency that runs your agents sees why.',
  'runs.eventArrives': 'Event arrives',
  'runs.report': 'Report',
} as const;
