import type { common as source } from '../en/common.ts';

export const common: Readonly<Record<keyof typeof source, string>> = {
  'common.cancel': 'Cancelar',
  'common.visitor': 'Visitante {code}',
  'common.leaveTitle': '¿Salir sin guardar?',
  'common.leaveText': 'Los cambios de esta página aún no están guardados.',
  'common.leave': 'Salir',
  'common.stay': 'Quedarme',
  'common.noMail': 'El correo no está configurado aquí, así que no se envía ninguno.',
  'common.mailIsOff':
    'El correo no está configurado aquí, así que no le llegará ningún enlace. Envíe la solicitud y pida después el enlace a la persona que le invitó.',
  'common.noMailSent':
    'No se envió ningún correo, porque aquí no está configurado. Si hay una cuenta con esta dirección, pregunte a la persona que le invitó: el soporte técnico puede facilitar el enlace.',
};
