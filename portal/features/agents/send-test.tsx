import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import type { Agent, Workflow } from '../../queries/agents.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { announceError } from '../../shared/announce-error.ts';
import { EditInputDialog, type JsonObject } from '../../shared/edit-input-dialog.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { plural } from '../../ui/text/format.ts';

/** Starts a real execution with the template's sample after the user has reviewed the input. */
export function SendTest({ agent, workflow }: { agent: Agent; workflow: Workflow | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  const refusal = useRefusal('agents.trigger');
  const inputs = workflow?.inputs ?? [];
  const run = useMutation({
    mutationFn: (input: JsonObject) =>
      api.triggerWorkflow({ params: { workflowId: agent.id }, body: { input }, headers: { 'idempotency-key': crypto.randomUUID() } }),
    onSuccess: ({ executionId }) => {
      announce('Run started.');
      void refreshAfter('runStarted');
      void navigate({ to: '/dashboard/runs/$id', params: { id: executionId } });
    },
    onError: (error) => announceError(error),
  });
  const reason =
    refusal ?? (agent.installed ? (agent.isActive ? undefined : 'Turn the agent on first.') : 'The agent is not installed yet.');
  return (
    <>
      <Button icon={<Play aria-hidden />} disabledReason={reason} onClick={() => setOpen(true)}>
        Test with sample
      </Button>
      <EditInputDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={`Run ${agent.name} once`}
        note={`This is a real run: the people named below get real messages. A successful run costs ${plural(agent.creditsPerRun, 'credit')}.`}
        input={Object.fromEntries(
          inputs.filter((input) => input.required || input.example !== null).map((input) => [input.key, input.example]),
        )}
        labels={Object.fromEntries(inputs.map((input) => [input.key, input.label]))}
        action="Run once"
        busy={run.isPending && 'Starting'}
        onSubmit={(input) => run.mutate(input)}
      />
    </>
  );
}
