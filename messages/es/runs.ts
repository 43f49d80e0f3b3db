import type { runs as source } from '../en/runs.ts';

export const runs: Readonly<Record<keyof typeof source, string>> = {
  'runs.eventArrives': 'Llega el evento',
  'runs.report': 'Informe',
};
