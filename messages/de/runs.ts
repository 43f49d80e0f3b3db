import type { runs as source } from '../en/runs.ts';

export const runs: Readonly<Record<keyof typeof source, string>> = {
  'runs.hiddenCause': 'Das hat nicht geklappt. Die Agentur, die Ihre Agenten betreibt, sieht den Grund.',
  'runs.eventArrives': 'Ereignis trifft ein',
  'runs.report': 'Bericht',
};
