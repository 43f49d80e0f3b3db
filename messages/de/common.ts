import type { common as source } from '../en/common.ts';

export const common: Readonly<Record<keyof typeof source, string>> = {
  'common.cancel': 'Abbrechen',
  'common.visitor': 'Besucher {code}',
};
