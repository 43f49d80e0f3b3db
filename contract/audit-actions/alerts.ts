import type { AuditTexts } from './texts.ts';

export const ALERTS_ACTIONS = {
  'alert.acknowledged': { label: 'Alert acknowledged', did: 'acknowledged the alert {target}', tried: 'acknowledge an alert', thing: '' },
  'alert.resolved': { label: 'Alert muted', did: 'muted the alert {target}', tried: 'mute an alert', thing: '' },
  'alert_rules.changed': { label: 'Alert rules changed', did: 'changed when alerts open', tried: 'change when alerts open' },
  'notification.preferences_changed': {
    label: 'Notifications changed',
    did: 'changed how they are notified',
    tried: 'change how they are notified',
  },
  'audit_log.exported': { label: 'Audit log exported', did: 'exported the audit log', tried: 'export the audit log' },
} as const satisfies Record<string, AuditTexts>;
