import type { install as source } from '../en/install.ts';

export const install: Readonly<Record<keyof typeof source, string>> = {
  'install.title': 'En su teléfono',
  'install.lead': 'Ponga {name} en su pantalla de inicio. Se abre como una aplicación, sin tienda de aplicaciones.',
  'install.install': 'Instalar',
  'install.by-hand':
    'En Safari, elija Compartir y luego «Añadir a pantalla de inicio». En Chrome, abra el menú y elija «Instalar» o «Añadir a pantalla de inicio».',
  'install.installed': '{name} está instalado en este dispositivo.',
};
