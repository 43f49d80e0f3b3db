import type { AuditTexts } from './texts.ts';

export const SSO_ACTIONS = {
  'domain.saved': { label: 'Custom domain saved', did: 'saved the domain {target}', tried: 'save a domain', thing: '' },
  'domain.checked': { label: 'Custom domain checked', did: 'checked the domain {target}', tried: 'check the domain', thing: '' },
  'domain.verified': { label: 'Custom domain verified', did: 'verified the domain {target}', tried: 'verify the domain', thing: '' },
  'domain.stopped': { label: 'Custom domain stopped', did: 'stopped serving the domain {target}', tried: 'stop the domain', thing: '' },
  'domain.removed': { label: 'Custom domain removed', did: 'removed the domain {target}', tried: 'remove the domain', thing: '' },
  'sso.connection_saved': {
    label: 'SSO connection saved',
    did: 'saved the SSO connection {target}',
    tried: 'save an SSO connection',
    thing: '',
  },
  'sso.connection_deleted': {
    label: 'SSO connection removed',
    did: 'removed the SSO connection {target}',
    tried: 'remove the SSO connection',
    thing: '',
  },
  'sso.test_started': { label: 'SSO test started', did: 'started a test of the SSO connection', tried: 'test the SSO connection' },
  'sso.connection_verified': {
    label: 'SSO connection verified',
    did: 'verified the SSO connection {target}',
    tried: 'verify the SSO connection',
    thing: '',
  },
  'sso.metadata_read': {
    label: 'SSO provider read again',
    did: 'read {target} again',
    tried: 'read the provider of the SSO connection again',
    thing: 'the provider of the SSO connection',
  },
  'sso.secret_replaced': {
    label: 'SSO client secret replaced',
    did: 'replaced the client secret for single sign-on',
    tried: 'replace the client secret for single sign-on',
  },
  'sso.key_added': { label: 'SSO key added', did: 'added a key for single sign-on', tried: 'add a key for single sign-on' },
  'sso.key_used': { label: 'SSO key changed', did: 'replaced the key for single sign-on', tried: 'replace the key for single sign-on' },
  'sso.enforcement_changed': {
    label: 'SSO enforcement changed',
    did: 'changed whether the team must use single sign-on',
    tried: 'change whether the team must use single sign-on',
  },
  'sso.enforcement_released': {
    label: 'SSO enforcement released',
    did: 'allowed the team to log in with a password again',
    tried: 'allow a team to log in with a password again',
  },
} as const satisfies Record<string, AuditTexts>;
