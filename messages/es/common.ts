import type { common as source } from '../en/common.ts';

export const common: Readonly<Record<keyof typeof source, string>> = {
  'common.cancel': 'Cancelar',
  'common.visitor': 'Visitante {code}',
};
