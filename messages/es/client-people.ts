import type { clientPeople as source } from '../en/client-people.ts';

export const clientPeople: Readonly<Record<keyof typeof source, string>> = {
  'client-people.title': 'Personas',
  'client-people.lead': 'Las personas de su empresa con acceso y sus contactos en {agency}.',
  'client-people.yours': 'De su empresa',
  'client-people.you': 'usted',
  'client-people.last-login': 'Último acceso: {when}',
  'client-people.never': 'Todavía no ha accedido',
  'client-people.invited': 'Invitaciones',
  'client-people.invited-until': 'Invitación enviada el {when}, válida hasta el {until}',
  'client-people.agency': 'En {agency}',
  'client-people.responsible': 'Responsable',
  'client-people.support': 'Soporte',
  'client-people.change': 'Para invitar o quitar a alguien, pregunte a {agency}.',
};
