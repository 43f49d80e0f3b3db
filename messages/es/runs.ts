import type { runs as source } from '../en/runs.ts';

export const runs: Readonly<Record<keyof typeof source, string>> = {
  'runs.hiddenCause': 'No ha funcionado. La agencia que gestiona sus agentes ve el motivo.',
  'runs.eventArrives': 'Llega el evento',
  'runs.report': 'Informe',
};
