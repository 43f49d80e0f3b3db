import type { AuditTexts } from './texts.ts';

export const MAIL_ACTIONS = {
  'newsletter.requested': {
    label: 'Newsletter requested',
    did: 'asked to subscribe to the newsletter',
    tried: 'ask to subscribe to the newsletter',
    by: 'unknown',
  },
  'newsletter.confirmed': {
    label: 'Newsletter confirmed',
    did: 'confirmed the newsletter',
    tried: 'confirm the newsletter',
    by: 'unknown',
  },
  'newsletter.unsubscribed': {
    label: 'Unsubscribed from the newsletter',
    did: 'unsubscribed from the newsletter',
    tried: 'unsubscribe from the newsletter',
    by: 'unknown',
  },
  'mail.read': { label: 'Mail read by staff', did: 'read the mail to {target}', tried: 'read the mail to {target}', thing: 'someone' },
  'mail.retried': {
    label: 'Mail sent again',
    did: 'sent the mail to {target} again',
    tried: 'send the mail to {target} again',
    thing: 'someone',
  },
} as const satisfies Record<string, AuditTexts>;
