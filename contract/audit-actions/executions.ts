import type { AuditTexts } from './texts.ts';

export const EXECUTIONS_ACTIONS = {
  'workflow.ingest_url_read': {
    label: 'Ingest URL revealed',
    did: 'revealed the ingest URL of {target}',
    tried: 'reveal the ingest URL of {target}',
    thing: 'an agent',
  },
  'workflow.triggered': {
    label: 'Run started manually',
    did: 'started a run manually',
    tried: 'start a run of {target}',
    thing: 'an agent',
  },
  'workflow.schedule_changed': {
    label: 'Schedule changed',
    did: 'changed the schedule of {target}',
    tried: 'change the schedule of {target}',
    thing: 'an agent',
  },
  'workflow.schedule_removed': {
    label: 'Schedule removed',
    did: 'removed the schedule of {target}',
    tried: 'remove the schedule of {target}',
    thing: 'an agent',
  },
  'execution.rerun': { label: 'Run repeated', did: 'repeated a run', tried: 'repeat a run' },
  'execution.rerun_many': { label: 'Failed runs repeated', did: 'repeated a failed run', tried: 'repeat failed runs' },
} as const satisfies Record<string, AuditTexts>;
