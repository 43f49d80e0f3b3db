import { useQuery } from '@tanstack/react-query';
import { Smartphone } from 'lucide-react';
import { useState } from 'react';
import { useRefusal } from '../../app/current-user.ts';
import { type Agent, agentQuery, missingSettingNames, type Workflow, workflowQuery } from '../../queries/agents.ts';
import { inactiveClient } from '../../shared/agent-state.tsx';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { PROVIDERS } from '../../shared/labels.ts';
import { Button } from '../../ui/controls/button.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { Panel } from '../../ui/layout/layout.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { joinWords } from '../../ui/text/format.ts';
import { phoneInputOf } from './phone-input.ts';
import { PhoneTest } from './phone-test.tsx';

/** Sends the text of an agent to the reader's own phone. Absent for an agent that texts no person of its event. */
export function SendToPhone({ agent, workflow, isChanged }: { agent: Agent; workflow: Workflow; isChanged: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const refusal = useRefusal('agents.trigger');
  if (!phoneInputOf(workflow)) return null;
  return (
    <>
      <Button icon={<Smartphone aria-hidden />} disabledReason={refusal ?? whyNotNow(agent)} onClick={() => setOpen(true)}>
        {ACTION}
      </Button>
      <PhoneDialog agentId={agent.id} open={isOpen} onClose={() => setOpen(false)} isChanged={isChanged} />
    </>
  );
}

const ACTION = 'Send it to my phone';

/** Why an agent cannot send a text now. */
function whyNotNow(agent: Agent): string | undefined {
  const inactive = inactiveClient(agent);
  if (inactive) return inactive;
  const keys = agent.missingConnections.map((provider) => PROVIDERS[provider].name);
  if (keys.length > 0) return `This agent has no key for ${joinWords(keys)} yet. Save it under Integrations first.`;
  if (!agent.installed) return 'The agent is not installed yet.';
  if (!agent.isActive) return 'Turn the agent on first.';
  if (agent.missingSettings.length > 0) return `Add ${joinWords(missingSettingNames(agent))} first.`;
  return undefined;
}

type TextingAgent = { id: string; name: string; clientName: string | null };

/** The same from the first steps, for the first agent that is ready to text. */
export function SendToPhonePanel({ agent }: { agent: TextingAgent }) {
  const [isOpen, setOpen] = useState(false);
  const refusal = useRefusal('agents.trigger');
  return (
    <Panel title={ACTION} aside={agent.name}>
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-45 flex-1">Read on your own phone the text that people get from {agent.clientName ?? 'your agency'}.</p>
        <Button icon={<Smartphone aria-hidden />} disabledReason={refusal} onClick={() => setOpen(true)}>
          {ACTION}
        </Button>
      </div>
      <PhoneDialog agentId={agent.id} open={isOpen} onClose={() => setOpen(false)} isChanged={false} />
    </Panel>
  );
}

type DialogProps = { agentId: string; open: boolean; onClose: () => void; isChanged: boolean };

function PhoneDialog({ agentId, open, onClose, isChanged }: DialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={ACTION} wide>
      {open ? <DialogContent agentId={agentId} onClose={onClose} isChanged={isChanged} /> : null}
    </Dialog>
  );
}

function DialogContent({ agentId, ...props }: Omit<DialogProps, 'open'>) {
  const agent = useQuery(agentQuery(agentId));
  const workflow = useQuery(workflowQuery(agentId));
  if (agent.data && workflow.data) return <PhoneTest agent={agent.data} workflow={workflow.data} {...props} />;
  const lost = [agent, workflow].find(({ error }) => error !== null);
  if (lost) return <ErrorBlock error={lost.error} onRetry={() => void lost.refetch()} />;
  return <SkeletonRows rows={6} label="Loading the agent" />;
}
