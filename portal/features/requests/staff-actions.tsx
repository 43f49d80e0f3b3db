import { type AgentRequestTrigger, nextAgentRequestStatus } from '@partner-portal/core/provisioning/agent-request.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { AgentRequest } from '../../queries/agent-requests.ts';
import { api, formApi } from '../../app/api.ts';
import { useKeys } from '../../ui/keyboard/key-bindings.ts';
import { useRefusal } from '../../app/current-user.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { Kbd } from '../../ui/layout/layout.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { NoteDialog } from '../../shared/note-dialog.tsx';
import { refreshAfter } from '../../queries/refresh.ts';
import { fittingAgentsQuery } from './queries.ts';
import '../../ui/layout/panel.css';

/** Staff actions for the request's state. In the work queue A approves and R rejects. */
export function StaffActions({
  request,
  withKeys = false,
  aside,
  onDecided = () => undefined,
}: {
  request: AgentRequest;
  withKeys?: boolean;
  aside?: ReactNode;
  onDecided?: () => void;
}) {
  const [confirming, setConfirming] = useState<'approve' | 'later' | 'reject'>();
  const refusal = useRefusal('requests.decide');
  const params = { id: request.id };
  const decide = (note: string) =>
    confirming === 'reject'
      ? formApi.rejectAgentRequest({ params, body: { note } })
      : formApi.approveAgentRequest({ params, body: { ...(note ? { note } : {}), provisionNow: confirming === 'approve' } });
  const retry = useMutation({
    mutationFn: () => api.retryAgentRequest({ params }),
    onSuccess: () => {
      onDecided();
      announce(`“${request.title}”: installation started.`);
    },
    onError: (error) => announceError(error),
    onSettled: () => void refreshAfter('agentRequestChanged'),
  });
  const tryAgain = (): void => {
    if (!retry.isPending) retry.mutate();
  };
  const isCustom = request.kind === 'custom';
  const may = (trigger: AgentRequestTrigger): boolean => nextAgentRequestStatus(request.kind, request.status, trigger) !== null;
  // An installation that waits starts by itself, and may have begun.
  const canStart = may('start') && !request.waiting;
  const canReject = may('reject') && !request.waiting;
  const ask = (act: typeof confirming) => () => setConfirming(act);
  useKeys(
    withKeys && refusal === undefined
      ? [
          ...(may('approve')
            ? [{ keys: 'a', label: 'Approve', group: 'This page' as const, run: ask('approve') }]
            : canStart
              ? [{ keys: 'a', label: 'Try again', group: 'This page' as const, run: tryAgain }]
              : []),
          ...(canReject ? [{ keys: 'r', label: 'Reject', group: 'This page' as const, run: ask('reject') }] : []),
        ]
      : [],
  );
  return (
    <>
      <div className="flex flex-wrap gap-2 empty:hidden">
        {may('approve') ? (
          <Button kind="primary" disabledReason={refusal} onClick={ask('approve')}>
            {isCustom ? 'Approve' : 'Approve and install'} {withKeys ? <Kbd>A</Kbd> : null}
          </Button>
        ) : null}
        {may('approve') && !isCustom ? (
          <Button disabledReason={refusal} onClick={ask('later')}>
            Approve, install later
          </Button>
        ) : null}
        {canStart ? (
          <Button kind="primary" disabledReason={refusal} busy={retry.isPending && 'Starting'} onClick={tryAgain}>
            {request.status === 'approved' ? 'Install now' : 'Try again'} {withKeys ? <Kbd>A</Kbd> : null}
          </Button>
        ) : null}
        {canReject ? (
          <Button kind="danger-text" disabledReason={refusal} onClick={ask('reject')}>
            Reject {withKeys ? <Kbd>R</Kbd> : null}
          </Button>
        ) : null}
        {aside}
      </div>
      {may('attach') ? <Attach request={request} refusal={refusal} onDecided={onDecided} /> : null}
      <NoteDialog
        open={confirming !== undefined}
        title={confirming === 'reject' ? `Reject “${request.title}”?` : `Approve “${request.title}”?`}
        action={confirming === 'reject' ? 'Reject' : confirming === 'later' || isCustom ? 'Approve' : 'Approve and install'}
        required={confirming === 'reject'}
        danger={confirming === 'reject'}
        busy={confirming === 'reject' ? 'Rejecting' : 'Approving'}
        send={(note) => decide(note).finally(() => void refreshAfter('agentRequestChanged'))}
        onSaved={() => {
          setConfirming(undefined);
          onDecided();
          announce(`“${request.title}” is ${confirming === 'reject' ? 'rejected' : 'approved'}.`);
        }}
        onClose={() => setConfirming(undefined)}
      >
        {LEADS[confirming ?? 'approve'].replace('{agency}', request.partnerName)}
      </NoteDialog>
    </>
  );
}

const LEADS = {
  approve: '{agency} sees your note. The installation starts now, in your name, and waits for keys that are missing.',
  later: '{agency} sees your note. You start the installation later.',
  reject: '{agency} sees your note. Explain why, and what would help.',
};

/** Fulfils a custom request with the workflow built for it. */
function Attach({ request, refusal, onDecided }: { request: AgentRequest; refusal: string | undefined; onDecided: () => void }) {
  const [workflowId, setWorkflowId] = useState<string>();
  const { data } = useQuery(fittingAgentsQuery(request));
  const fulfil = useMutation({
    mutationFn: (id: string) => api.fulfillAgentRequest({ params: { id: request.id }, body: { workflowId: id } }),
    onSuccess: () => {
      onDecided();
      announce(`“${request.title}” is fulfilled.`);
    },
    onError: (error) => announceError(error),
    onSettled: () => void refreshAfter('agentRequestChanged'),
  });
  return (
    <section className="panel grid gap-3 p-4">
      <Field label="Agent that fulfils the request" hint={data?.length === 0 ? 'This client has no agents yet. Add one first.' : undefined}>
        {(ids) => (
          <Select
            {...ids}
            label="Agent"
            value={workflowId}
            onChange={setWorkflowId}
            options={(data ?? []).map((agent) => ({ value: agent.id, label: agent.name, hint: agent.clientName ?? 'whole agency' }))}
          />
        )}
      </Field>
      <div>
        <Button
          kind="primary"
          disabledReason={refusal}
          inactive={workflowId === undefined}
          busy={fulfil.isPending && 'Attaching'}
          onClick={() => workflowId && fulfil.mutate(workflowId)}
        >
          Fulfil
        </Button>
      </div>
    </section>
  );
}
