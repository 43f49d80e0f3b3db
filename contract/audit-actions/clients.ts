import type { AuditTexts } from './texts.ts';

export const CLIENTS_ACTIONS = {
  'client.created': { label: 'Client added', did: 'added the client {target}', tried: 'add a client', thing: '' },
  'client.changed': { label: 'Client changed', did: 'changed {target}', tried: 'change {target}', thing: 'a client' },
  'report.recipient_changed': {
    label: 'Report subscription changed',
    did: 'changed whether {target} gets the monthly report',
    tried: 'change whether {target} gets the monthly report',
    thing: 'a person',
  },
  'report.sent': {
    label: 'Monthly report sent',
    did: 'sent the monthly report of {target}',
    tried: 'send the monthly report of {target}',
    thing: 'a client',
  },
  'report.hours_changed': {
    label: 'Hours estimate changed',
    did: 'changed the hours that a run of {target} saves',
    tried: 'change the hours that a run saves',
    thing: 'an agent',
  },
  'report.values_changed': {
    label: 'Worth of results changed',
    did: 'changed what results are thought to be worth',
    tried: 'change what results are thought to be worth',
    thing: '',
  },
  'media.uploaded': { label: 'File uploaded', did: 'uploaded {target}', tried: 'upload a file', thing: 'a file' },
  'media.changed': { label: 'File changed', did: 'changed the description of {target}', tried: 'change {target}', thing: 'a file' },
  'media.deleted': { label: 'File removed', did: 'removed {target}', tried: 'remove {target}', thing: 'a file' },
  'client.imported': { label: 'Clients imported', did: 'imported clients from {target}', tried: 'import clients', thing: 'a file' },
  'client.import_undone': {
    label: 'Import of clients undone',
    did: 'undid the import of clients from {target}',
    tried: 'undo the import of clients from {target}',
    thing: 'a file',
  },
  'client.suspended': { label: 'Client suspended', did: 'suspended {target}', tried: 'suspend {target}', thing: 'a client' },
  'client.resumed': { label: 'Client resumed', did: 'resumed {target}', tried: 'resume {target}', thing: 'a client' },
  'client.archived': { label: 'Client archived', did: 'archived {target}', tried: 'archive {target}', thing: 'a client' },
} as const satisfies Record<string, AuditTexts>;
