import type { AuditTexts } from './texts.ts';

export const CREDENTIALS_ACTIONS = {
  'credential.saved': { label: 'Key saved', did: 'saved the key for {target}', tried: 'save the key for {target}', thing: 'a service' },
  'credential.deleted': {
    label: 'Key removed',
    did: 'removed the key for {target}',
    tried: 'remove the key for {target}',
    thing: 'a service',
  },
  'credential.tested': { label: 'Key tested', did: 'tested the key for {target}', tried: 'test the key for {target}', thing: 'a service' },
} as const satisfies Record<string, AuditTexts>;
