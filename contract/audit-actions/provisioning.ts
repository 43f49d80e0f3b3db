import type { AuditTexts } from './texts.ts';

export const PROVISIONING_ACTIONS = {
  'automation_instance.provision_requested': {
    label: 'Setup started',
    did: 'started the setup of {target}',
    tried: 'start the setup of {target}',
    thing: 'an agency',
  },
  'automation_instance.reprovision_requested': {
    label: 'Setup repaired',
    did: 'started a repair of {target}',
    tried: 'repair {target}',
    thing: 'an agency',
  },
  'automation_instance.deprovision_requested': {
    label: 'Setup taken down',
    did: 'took down the setup of {target}',
    tried: 'take down the setup of {target}',
    thing: 'an agency',
  },
  'automation_instance.verified': {
    label: 'Setup compared',
    did: 'compared the flows of {target} with their templates',
    tried: 'compare the flows of {target} with their templates',
    thing: 'an agency',
  },
  'engine.session_refreshed': {
    label: 'New engine session requested',
    did: 'requested a new session with the engine',
    tried: 'request a new session with the engine',
  },
  'rollout.started': { label: 'Roll-out started', did: 'started to roll out {target}', tried: 'roll out a template', thing: 'a template' },
  'rollout.paused': {
    label: 'Roll-out paused or resumed',
    did: 'paused or resumed the roll-out of {target}',
    tried: 'pause or resume the roll-out of {target}',
    thing: 'a template',
  },
} as const satisfies Record<string, AuditTexts>;
