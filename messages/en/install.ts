export const install = {
  'install.title': 'On your phone',
  'install.lead': 'Put {name} on your home screen. It opens like an app, without an app store.',
  'install.install': 'Install',
  'install.by-hand':
    'In Safari, choose Share, then “Add to Home Screen”. In Chrome, open the menu and choose “Install” or “Add to Home screen”.',
  'install.installed': '{name} is installed on this device.',
} as const;
