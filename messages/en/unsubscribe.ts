export const unsubscribe = {
  'unsubscribe.title': 'Stop these e-mails?',
  'unsubscribe.notifications':
    'You will get no more e-mails of this kind. The portal still shows what they say, and you can turn them on again in your settings.',
  'unsubscribe.digest':
    'You will get no more daily summaries. The portal still shows what they say, and you can turn them on again in your settings.',
  'unsubscribe.report':
    'You will get no more monthly reports by e-mail. The report stays in the portal, and you can turn the e-mail on again there.',
  'unsubscribe.newsletter': 'You will get no more newsletters, and we delete your address.',
  'unsubscribe.stop': 'Stop these e-mails',
  'unsubscribe.stopping': 'Stopping',
  'unsubscribe.done': 'You will get no more of these e-mails',
  'unsubscribe.close': 'You can close this page.',
  'unsubscribe.invalid': 'This link does not work',
  'unsubscribe.incomplete': 'It may be incomplete. Open it from the e-mail again.',
  'unsubscribe.failed': 'This could not be saved. Try again in a minute.',
  'unsubscribe.notOpened': 'The page could not be opened',
  'unsubscribe.later': 'Open the link from the e-mail again in a minute.',
} as const;
