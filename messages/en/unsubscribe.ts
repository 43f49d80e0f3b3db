export const unsubscribe = {
  'unsubscribe.title': 'Stop these emails?',
  'unsubscribe.notifications':
    'You will get no more emails of this kind. The portal still shows what they say, and you can turn them on again in your settings.',
  'unsubscribe.digest':
    'You will get no more daily summaries. The portal still shows what they say, and you can turn them on again in your settings.',
  'unsubscribe.report':
    'You will get no more monthly reports by email. The report stays in the portal, and you can turn the email on again there.',
  'unsubscribe.newsletter': 'You will get no more newsletters, and we delete your address.',
  'unsubscribe.stop': 'Stop these emails',
  'unsubscribe.stopping': 'Stopping',
  'unsubscribe.done': 'You will get no more of these emails',
  'unsubscribe.close': 'You can close this page.',
  'unsubscribe.invalid': 'This link does not work',
  'unsubscribe.incomplete': 'It may be incomplete. Open it from the email again.',
  'unsubscribe.failed': 'This could not be saved. Try again in a minute.',
} as const;
