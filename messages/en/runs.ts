export const runs = {
  'runs.eventArrives': 'Event arrives',
  'runs.report': 'Report',
} as const;
