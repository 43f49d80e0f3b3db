import type { common as source } from '../en/common.ts';

export const common: Readonly<Record<keyof typeof source, string>> = {
  'common.cancel': 'Cancelar',
  'common.visitor': 'Visitante {code}',
  'common.leaveTitle': '¿Salir sin guardar?',
  'common.leaveText': 'Los cambios de esta página aún no están guardados.',
  'common.leave': 'Salir',
  'common.stay': 'Quedarme',
};
