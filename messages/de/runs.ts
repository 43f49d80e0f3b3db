import type { runs as source } from '../en/runs.ts';

export const runs: Readonly<Record<keyof typeof source, string>> = {
  'runs.eventArrives': 'Ereignis trifft ein',
  'runs.report': 'Bericht',
};
