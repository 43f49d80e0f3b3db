import type { AuditTexts } from './texts.ts';

export const WEBHOOKS_ACTIONS = {
  'webhook.created': {
    label: 'Webhook endpoint added',
    did: 'added the webhook endpoint {target}',
    tried: 'add a webhook endpoint',
    thing: '',
  },
  'webhook.changed': {
    label: 'Webhook endpoint changed',
    did: 'changed the webhook endpoint {target}',
    tried: 'change the webhook endpoint {target}',
    thing: '',
  },
  'webhook.deleted': {
    label: 'Webhook endpoint removed',
    did: 'removed the webhook endpoint {target}',
    tried: 'remove the webhook endpoint {target}',
    thing: '',
  },
  'webhook.tested': {
    label: 'Webhook test sent',
    did: 'sent a test event to {target}',
    tried: 'send a test event to {target}',
    thing: 'an endpoint',
  },
  'webhook.redelivered': {
    label: 'Delivery sent again',
    did: 'sent a delivery to {target} again',
    tried: 'send a delivery to {target} again',
    thing: 'an endpoint',
  },
  'webhook.recovery_started': {
    label: 'Recovery started',
    did: 'started a recovery of deliveries to {target}',
    tried: 'recover deliveries to {target}',
    thing: 'an endpoint',
  },
  'webhook.recovery_cancelled': {
    label: 'Recovery cancelled',
    did: 'cancelled the recovery of deliveries to {target}',
    tried: 'cancel the recovery of deliveries to {target}',
    thing: 'an endpoint',
  },
} as const satisfies Record<string, AuditTexts>;
