import { useQuery } from '@tanstack/react-query';
import type { Provider } from '@house/contract/vocabulary.ts';
import { stepIcon } from '../../ui/icons.tsx';
import { ErrorBlock } from '../../ui/note.tsx';
import { SkeletonBlock } from '../../ui/skeleton.tsx';
import { type DiagramStep, StepDiagram } from '../../ui/step-diagram.tsx';
import { stepsQuery } from './queries.ts';

const SERVICES: Record<Provider, string> = {
  twilio: 'By text', resend: 'By mail', calcom: 'In your calendar', openai: 'With a language model', anthropic: 'With a language model', postgres: 'From your records', code: 'By itself',
};

/** The steps of an agent by their names alone: no keys, no settings, nothing to change. */
export function AgentSteps({ id, agency }: { id: string; agency: string }) {
  const steps = useQuery(stepsQuery(id));
  if (steps.error) return <ErrorBlock error={steps.error} onRetry={() => void steps.refetch()} />;
  if (!steps.data) return <SkeletonBlock height={132} />;
  const { trigger, steps: list } = steps.data.definition;
  const shown: DiagramStep[] = [
    { key: 'start', icon: stepIcon('trigger'), name: trigger.label, service: 'It starts here', keys: [] },
    ...list.map((step) => ({ key: step.name, icon: stepIcon(step), name: step.kind === 'report' ? 'Tell how it went' : step.label, service: step.kind === 'report' ? `To you and ${agency}` : SERVICES[step.provider ?? 'code'], keys: [] })),
  ];
  return <StepDiagram steps={shown} showKeys={false} />;
}
