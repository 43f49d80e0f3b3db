import type { install as source } from '../en/install.ts';

export const install: Readonly<Record<keyof typeof source, string>> = {
  'install.title': 'Auf Ihrem Telefon',
  'install.lead': 'Legen Sie {name} auf Ihren Startbildschirm. Es öffnet sich wie eine App, ohne App-Store.',
  'install.install': 'Installieren',
  'install.by-hand':
    'Wählen Sie in Safari „Teilen“, dann „Zum Home-Bildschirm“. Öffnen Sie in Chrome das Menü und wählen Sie „Installieren“ oder „Zum Startbildschirm hinzufügen“.',
  'install.installed': '{name} ist auf diesem Gerät installiert.',
};
