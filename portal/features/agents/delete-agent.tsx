import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Agent, scheduleQuery } from '../../queries/agents.ts';
import { api } from '../../app/api.ts';
import { formatNumber, joinWords, plural } from '../../ui/text/format.ts';
import { useRefusal } from '../../app/current-user.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { refreshAfter } from '../../queries/refresh.ts';

/** Deletes the agent after showing everything that is deleted with it. */
export function DeleteAgent({ agent }: { agent: Agent }) {
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  const refusal = useRefusal('agents.manage');
  const schedule = useQuery({ ...scheduleQuery(agent.id), enabled: isOpen });
  const remove = useMutation({
    mutationFn: () => api.deleteAgent({ params: { id: agent.id } }),
    onSuccess: async () => {
      announce(`${agent.name} deleted.`);
      await navigate({ to: '/dashboard/agents' });
      void refreshAfter('agentDeleted');
    },
    onError: (error) => {
      setOpen(false);
      announceError(error);
    },
  });
  const planned = schedule.data?.planned.waitingTotal ?? agent.planned.waiting;
  const deleted = [
    'its ingest URL',
    ...(schedule.data?.schedule ? ['its schedule'] : []),
    ...(planned > 0 ? [`${plural(planned, 'planned run')}`] : []),
  ];
  return (
    <Section className="mt-10" title="Delete">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="max-w-[60ch] text-ink-2">
          The agent stops immediately and is removed for good. Its runs stay in your lists. To stop it for a while, turn it off instead.
        </p>
        <Button kind="danger-text" disabledReason={refusal} onClick={() => setOpen(true)}>
          Delete agent
        </Button>
      </div>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={`Delete ${agent.name}?`}
        typed={agent.name}
        action="Delete"
        busy={remove.isPending && 'Deleting'}
        onConfirm={() => remove.mutate()}
      >
        <p>
          {agent.clientName ? <>{agent.clientName} loses this agent. </> : null}
          This also deletes <b>{joinWords(deleted)}</b>. New events are refused, waiting events fail, and runs in progress may still finish.
        </p>
        <p className="mt-2">
          The <b>{agent.runs30d === 0 ? 'runs' : `${formatNumber(agent.runs30d)} runs of the last 30 days`}</b> stay. This cannot be undone:
          if you install the agent again, it gets a new ingest URL.
        </p>
      </ConfirmDialog>
    </Section>
  );
}
