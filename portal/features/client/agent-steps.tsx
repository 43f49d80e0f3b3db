import type { MessageKey } from '@partner-portal/messages/messages.ts';
import { useMessages } from '../../app/messages.ts';
import { useQuery } from '@tanstack/react-query';
import { ListChecks, Play, Send, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Reply } from '../../app/api.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { SkeletonBlock } from '../../ui/feedback/skeleton.tsx';
import { type DiagramStep, StepDiagram } from '../../shared/step-diagram.tsx';
import { stepsQuery } from './queries.ts';

/** Clients see step names and kinds only, never service names. */
const KINDS: Record<string, { icon: ReactNode; says: MessageKey }> = {
  code: { icon: <ListChecks />, says: 'client.decides' },
  http: { icon: <Send />, says: 'client.acts' },
};

/** The steps of an agent by name, read only. */
export function AgentSteps({ id, agency }: { id: string; agency: string }) {
  const steps = useQuery(stepsQuery(id));
  return (
    <Loaded query={steps} skeleton={<SkeletonBlock height={132} />}>
      {({ definition }) => <Steps definition={definition} agency={agency} />}
    </Loaded>
  );
}

function Steps({ definition, agency }: { definition: Reply<'getWorkflow'>['definition']; agency: string }) {
  const { t } = useMessages();
  const { trigger, steps: list } = definition;
  const shown: DiagramStep[] = [
    { key: 'start', icon: <Play />, name: trigger.label, service: t('client.startsHere'), keys: [] },
    ...list
      .filter((step) => step.kind !== 'report')
      .map((step) => ({
        key: step.name,
        icon: KINDS[step.kind]?.icon ?? <Send />,
        name: step.label,
        service: t(KINDS[step.kind]?.says ?? 'client.acts'),
        keys: [],
      })),
    { key: 'end', icon: <Undo2 />, name: t('client.reports'), service: t('client.toYou', { agency }), keys: [] },
  ];
  return <StepDiagram steps={shown} showKeys={false} />;
}
