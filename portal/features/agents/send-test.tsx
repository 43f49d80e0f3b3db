import { useNavigate } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import type { Agent, Workflow } from '../../queries/agents.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { runCost } from '../../shared/run-cost.ts';
import { EditInputDialog, type JsonObject } from '../../shared/edit-input-dialog.tsx';
import { useNoText } from '../../shared/no-text.ts';
import { Recipients } from '../../shared/recipients.tsx';
import { useInputErrors } from '../../shared/use-input-errors.ts';
import { useSend } from '../../shared/use-send.ts';
import { Button } from '../../ui/controls/button.tsx';
import { inactiveClient } from '../../shared/agent-state.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { plural } from '../../ui/text/format.ts';

type Props = {
  agent: Agent;
  workflow: Workflow | undefined;
  /** Values instead of the template's sample. */ given?: JsonObject;
  word?: string;
};

/** Starts a real execution after the user has reviewed the input and who gets a message. */
export function SendTest({ agent, workflow, given, word = 'Run once' }: Props) {
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  const refusal = useRefusal('agents.trigger');
  const inputs = workflow?.inputs ?? [];
  const noTextOf = useNoText({ agentId: agent.id, inputs, enabled: isOpen });
  const filled =
    given ??
    Object.fromEntries(inputs.filter((input) => input.required || input.example !== null).map((input) => [input.key, input.example]));
  const refused = useInputErrors();
  const run = useSend({
    call: (input: JsonObject, key) =>
      api.triggerWorkflow({ params: { workflowId: agent.id }, body: { input }, headers: { 'idempotency-key': key } }),
    onSent: ({ executionId }) => {
      announce('Run started.');
      void refreshAfter('runStarted');
      void navigate({ to: '/dashboard/runs/$id', params: { id: executionId } });
    },
    onFailed: refused.onFailed,
  });
  const reason =
    refusal ??
    inactiveClient(agent) ??
    (agent.installed ? (agent.isActive ? undefined : 'Turn the agent on first.') : 'The agent is not installed yet.');
  return (
    <>
      <Button icon={<Play aria-hidden />} disabledReason={reason} onClick={() => setOpen(true)}>
        {word}
      </Button>
      <EditInputDialog
        open={isOpen}
        onClose={() => {
          setOpen(false);
          refused.clear();
        }}
        title={`Run ${agent.name} once`}
        note={`This is a real run. If it succeeds, it costs ${runCost(plural(agent.creditsPerRun, 'credit'), agent)}.`}
        confirm={(input, change) => <Recipients inputs={inputs} input={input} given={filled} onChange={change} noText={noTextOf(input)} />}
        input={filled}
        labels={Object.fromEntries(inputs.map((input) => [input.key, input.label]))}
        action="Run once"
        busy={run.isSending && 'Starting'}
        errors={refused.errors}
        onSubmit={run.send}
      />
    </>
  );
}
