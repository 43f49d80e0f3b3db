import { shownSetupError } from '@partner-portal/core/provisioning/missing-credential.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Play, X } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { v4 as newId } from 'uuid';
import { api } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { useLoaded } from '../../app/route-data.ts';
import { useUser } from '../../app/session.ts';
import { useLive } from '../../app/use-live.ts';
import { type Onboarding, onboardingQuery, type SampleRun, setDismissed, type TextingAgent } from './queries.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { setupQuery } from '../../queries/setup.ts';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { StageList } from '../../shared/stage-progress.tsx';
import { Button, buttonClass, IconButton } from '../../ui/controls/button.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { throttle } from '../../ui/hooks/throttle.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { PageHeader, Panel } from '../../ui/layout/layout.tsx';
import { JsonViewer } from '../../ui/text/json-viewer.tsx';
import { formatNumber, plural } from '../../ui/text/format.ts';
import { Time } from '../../ui/text/time.tsx';
import { StepLink } from './step-link.tsx';
import './first-steps-page.css';

/** The first steps of the agency, hidden ones too, and a run on the agent that needs no key. */
export function FirstStepsPage(props: Props) {
  const user = useUser();
  useTitle('First steps', user.partner.name);
  const data = useLoaded(onboardingQuery);
  return (
    <>
      <PageHeader
        title="First steps"
        meta={data.done === data.total ? 'All done' : `${formatNumber(data.done)} of ${formatNumber(data.total)} done`}
      />
      {data.dismissedAt === null ? null : <Hidden />}
      <FirstSteps data={data} {...props} />
    </>
  );
}

type Props = {
  request: (sample: SampleRun) => ReactNode;
  /** Sends the text of an agent to the reader's phone. */ phone: (agent: TextingAgent) => ReactNode;
};

/** The overview of an agency before its first run: what to do next, instead of figures that are all zero. */
export function FirstStepsPart(props: Props) {
  const { data, error, refetch } = useQuery(onboardingQuery);
  if (error && !data) return <ErrorBlock error={error} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows rows={7} label="Loading the first steps" />;
  return (
    <section aria-label="First steps" className="mb-6">
      <p className="mb-4 max-w-prose text-ink-2">
        Your figures appear here with the first run of one of your agents. {formatNumber(data.done)} of {formatNumber(data.total)} steps are
        done.
      </p>
      <FirstSteps data={data} {...props} />
    </section>
  );
}

function FirstSteps({ data, request, phone }: Props & { data: Onboarding }) {
  const { sample, textingAgent } = data;
  return (
    <div className="grid items-start gap-6 rail:grid-cols-[minmax(0,1fr)_minmax(0,460px)]">
      <Panel flush>
        <ul className="first-steps">
          {data.items.map((item) => (
            <Step key={item.key} item={item} isNext={item.key === data.nextKey} />
          ))}
        </ul>
      </Panel>
      <div className="grid gap-6">
        {textingAgent ? phone(textingAgent) : null}
        {sample ? <Sample sample={sample} request={request(sample)} /> : null}
      </div>
    </div>
  );
}

function useDismiss() {
  return useMutation({
    mutationFn: ({ step, isHidden }: { step: Onboarding['items'][number]['key'] | 'all'; isHidden: boolean }) =>
      setDismissed(step, isHidden),
    onError: (error) => announceError(error),
  });
}

function Hidden() {
  const refusal = useRefusal('agency.manage');
  const dismiss = useDismiss();
  return (
    <div className="mb-4">
      <Note
        tone="live"
        action={
          <Button
            size="sm"
            disabledReason={refusal}
            busy={dismiss.isPending && 'Showing'}
            onClick={() => dismiss.mutate({ step: 'all', isHidden: false })}
          >
            Show on the overview
          </Button>
        }
      >
        These steps are hidden from your agency’s overview.
      </Note>
    </div>
  );
}

function Step({ item, isNext }: { item: Onboarding['items'][number]; isNext: boolean }) {
  const refusal = useRefusal('agency.manage');
  const isModerator = useUser().partnerRole === 'moderator';
  const dismiss = useDismiss();
  const isHidden = item.dismissedAt !== null;
  return (
    <li data-done={item.isDone || isHidden ? '' : undefined}>
      <Mark kind={item.isDone ? 'ok' : isHidden ? 'skip' : 'none'} label={item.isDone ? 'Done' : isHidden ? 'Hidden' : 'Open'} />
      <span className="min-w-0 flex-1">{item.title}</span>
      {item.doneAt ? <Time iso={item.doneAt} className="text-xs text-ink-3" /> : null}
      {/* The sample stands beside the list. */}
      {item.isDone || isHidden || item.key === 'sample' ? null : isModerator ? (
        <Button size="sm" disabledReason={refusal}>
          {item.action}
        </Button>
      ) : (
        <StepLink step={item.key} href={item.href} action={item.action} className={isNext ? buttonClass('primary', 'sm') : 'link'} />
      )}
      {item.isDone ? null : isHidden ? (
        <Button size="sm" kind="quiet" disabledReason={refusal} onClick={() => dismiss.mutate({ step: item.key, isHidden: false })}>
          Show again
        </Button>
      ) : (
        <IconButton
          size="sm"
          label={`Hide: ${item.title}`}
          disabledReason={refusal}
          onClick={() => dismiss.mutate({ step: item.key, isHidden: true })}
        >
          <X aria-hidden />
        </IconButton>
      )}
    </li>
  );
}

/** What goes in, what the steps do, what comes out; with the one thing that can be done now, and what became of it. */
function Sample({ sample, request }: { sample: SampleRun; request: ReactNode }) {
  return (
    <Panel title={`Sample run: ${sample.title}`} aside="needs no key">
      <div className="grid gap-4">
        <SampleState sample={sample} request={request} />
        {sample.state === 'installing' || sample.state === 'failed' ? <SampleSetup /> : null}
        {sample.agentId ? <SampleOutcome agentId={sample.agentId} run={sample.run} /> : null}
        <JsonViewer name="A lead arrives" value={sample.input} />
        <ol className="first-steps-run" aria-label="Steps of the agent">
          {sample.steps.map((step, at) => (
            <li key={step.name}>
              <span aria-hidden>{at + 1}</span>
              {step.label}
            </li>
          ))}
        </ol>
        <JsonViewer name="What the agent reports" value={sample.result} />
        {sample.run || sample.state === 'ready' ? null : (
          <p className="text-xs text-ink-3">This is the example from the catalog. It shows what a run does; nothing has run yet.</p>
        )}
      </div>
    </Panel>
  );
}

function SampleState({ sample, request }: { sample: SampleRun; request: ReactNode }): ReactNode {
  const who = sample.clientName;
  const open = (
    <Link
      to="/dashboard/requests"
      search={sample.requestId ? { request: sample.requestId, client: undefined } : {}}
      className={buttonClass('default', 'sm')}
    >
      Open request
    </Link>
  );
  switch (sample.state) {
    case 'ready':
    case 'available':
      return <StartSample sample={sample} />;
    case 'paused':
      return (
        <Note
          tone="warn"
          action={
            <Link to="/dashboard/agents" className={buttonClass('default', 'sm')}>
              Open agents
            </Link>
          }
        >
          The agent{who ? ` of ${who}` : ''} is paused. Turn it on to run the sample.
        </Note>
      );
    case 'no_client':
      return (
        <div className="flex flex-wrap items-center gap-3">
          <p className="min-w-45 flex-1">Agents work for a client. Add your first one, then request this agent for it.</p>
          <StepLink step="client" href="/dashboard/clients" action="Add a client" className={buttonClass('default', 'sm')} />
        </div>
      );
    case 'not_requested':
      return (
        <div className="flex flex-wrap items-center gap-3">
          <p className="min-w-45 flex-1">Your platform team installs it after you request it. No key is needed.</p>
          {request}
        </div>
      );
    case 'suggested':
      return (
        <Note tone="live" action={open}>
          {who} suggested this agent. Submit the suggestion to have it installed.
        </Note>
      );
    case 'submitted':
      return (
        <Note tone="live" action={open}>
          Requested for {who}. Your platform team approves and installs it next; you are notified.
        </Note>
      );
    case 'failed':
      return sample.canInstall ? (
        <>
          <Note tone="bad" alert>
            The setup did not finish. {shownSetupError(sample.errorPublic ?? '')}
          </Note>
          <StartSample sample={sample} />
        </>
      ) : (
        <Note tone="warn" action={open}>
          The installation for {who} did not finish. The request says why.
        </Note>
      );
    default:
      return (
        <Note tone="live" action={sample.requestId ? open : undefined}>
          {sample.attemptId === null
            ? `The agent is being installed for ${who}. You can run the sample when that is done.`
            : 'Your automation is being set up. This usually takes less than a minute; you can leave this page.'}
        </Note>
      );
  }
}

/** The four stages of the setup as they happen. */
function SampleSetup() {
  const refresh = useMemo(() => throttle(() => void refreshAfter('sampleProgressed'), 500), []);
  useLive({ path: '/partners/me/automation/stream', onEvent: refresh, onCatchUp: refresh, pollMs: 3_000 });
  const { data } = useQuery(setupQuery(undefined));
  if (!data || data.attempt === null) return null;
  const running = data.stages.filter((stage) => stage.status === 'running');
  return (
    <>
      <StageList stages={data.stages} />
      <p className="sr-only" role="status">
        {running.map((stage) => `${stage.label}, running`).join('. ')}
      </p>
    </>
  );
}

const RUN = {
  RUNNING: { tone: 'live', text: 'The sample is running.' },
  SUCCEEDED: { tone: 'ok', text: 'The sample succeeded. Open the run to see its input, its steps and its output.' },
  FAILED: { tone: 'bad', text: 'The sample run failed. The run says why.' },
} as const;

/** The newest run of the sample as it starts and ends: after a setup it starts by itself. */
function SampleOutcome({ agentId, run }: { agentId: string; run: SampleRun['run'] }) {
  const refresh = useMemo(() => throttle(() => void refreshAfter('sampleProgressed'), 500), []);
  useLive({ path: `/executions/stream?workflowId=${agentId}`, onEvent: refresh, onCatchUp: refresh, pollMs: 3_000 });
  if (!run) return null;
  const { tone, text } = RUN[run.status];
  return (
    <div role="status">
      <Note
        tone={tone}
        action={
          <Link to="/dashboard/runs/$id" params={{ id: run.id }} className={buttonClass('default', 'sm')}>
            Open run
          </Link>
        }
      >
        {text}
      </Note>
    </div>
  );
}

function StartSample({ sample }: { sample: SampleRun }) {
  const navigate = useNavigate();
  const refusal = useRefusal('agents.trigger');
  // One key until a run has started: a second click, or a retry after a lost response, starts no second one.
  const [key, setKey] = useState(() => newId());
  const run = useMutation({
    mutationFn: () => api.startSampleRun({ headers: { 'idempotency-key': key } }),
    onSuccess: async ({ executionId }) => {
      setKey(newId());
      if (executionId === null) return refreshAfter('sampleProgressed');
      void refreshAfter('runStarted');
      return navigate({ to: '/dashboard/runs/$id', params: { id: executionId } });
    },
    onError: (error) => {
      announceError(error);
      // Someone else may have started it, or staff a setup of theirs.
      void refreshAfter('sampleProgressed');
    },
  });
  const cost = plural(sample.creditsPerRun, 'credit');
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="min-w-45 flex-1">
        {sample.canInstall
          ? `Installs this one agent for your agency, then runs it with this lead. No key is needed, and no one gets a message. The run costs ${cost}.`
          : `Runs the agent of ${sample.clientName ?? 'your agency'} with this lead. No one gets a message. It costs ${cost}.`}
      </p>
      <Button
        kind="primary"
        icon={<Play aria-hidden />}
        disabledReason={refusal}
        busy={run.isPending && 'Starting'}
        onClick={() => run.mutate()}
      >
        {sample.state === 'failed' ? 'Try again' : 'Run the sample'}
      </Button>
    </div>
  );
}
