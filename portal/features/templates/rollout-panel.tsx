import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api, type Reply } from '../../app/api.ts';
import { joinWords, plural } from '../../ui/text/format.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Mark, type MarkKind } from '../../ui/feedback/mark.tsx';
import { Meter } from '../../ui/charts/meter.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { Time } from '../../ui/text/time.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { RolloutDialog } from './rollout-dialog.tsx';
import { rolloutsQuery } from './rollout-queries.ts';
import type { Template } from './template.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import '../../ui/layout/panel.css';

type Rollout = Reply<'getRollout'>;

const STATES: Record<Rollout['status'], { mark: MarkKind; word: string }> = {
  running: { mark: 'run', word: 'Running' },
  paused: { mark: 'pause', word: 'Paused' },
  stopped: { mark: 'bad', word: 'Stopped after three failures' },
  completed: { mark: 'ok', word: 'Completed' },
};
const PARTNER_MARKS: Record<Rollout['partners'][number]['status'], { mark: MarkKind; word: string }> = {
  pending: { mark: 'wait', word: 'waiting' },
  running: { mark: 'run', word: 'being repaired' },
  succeeded: { mark: 'ok', word: 'newest version' },
  failed: { mark: 'bad', word: 'failed' },
  skipped: { mark: 'skip', word: 'skipped' },
};

/** Starts, tracks, pauses and resumes rollouts of the newest version. */
export function RolloutPanel({ template }: { template: Template }) {
  const [isOpen, setOpen] = useState(false);
  const rollouts = useQuery(rolloutsQuery(template.name));
  const [latest] = rollouts.data ?? [];
  const done = latest?.counts.succeeded ?? 0;
  // Each finished partner changes the adoption figures above.
  useEffect(() => {
    if (done > 0) void refreshAfter('rolloutAdvanced');
  }, [done]);
  const isInProgress = latest?.status === 'running' || latest?.status === 'paused';
  const outdated = template.adoption.filter((row) => row.templateVersion < template.templateVersion);
  const agents = outdated.reduce((sum, row) => sum + row.workflows, 0);
  return (
    <Loaded query={rollouts} skeleton={null}>
      {() => (
        <div className="mt-3 grid gap-3">
          {agents > 0 ? (
            <div className="flex flex-wrap items-center gap-3">
              <p className="flex-1 text-ink-2">{plural(agents, 'agent runs', 'agents run')} an older version.</p>
              <Button
                size="sm"
                disabledReason={isInProgress ? 'A roll-out of this template is in progress.' : undefined}
                onClick={() => setOpen(true)}
              >
                Roll out v{template.templateVersion}
              </Button>
            </div>
          ) : null}
          {latest ? <Progress rollout={latest} /> : null}
          <RolloutDialog template={template} open={isOpen} onClose={() => setOpen(false)} />
        </div>
      )}
    </Loaded>
  );
}

function Progress({ rollout }: { rollout: Rollout }) {
  const { counts, partners, status } = rollout;
  const done = counts.succeeded + counts.failed + counts.skipped;
  const setPaused = useMutation({
    mutationFn: (paused: boolean) => api.pauseRollout({ params: { rolloutId: rollout.id }, body: { paused } }),
    onSuccess: () => {
      void refreshAfter('rolloutChanged', rollout.templateName);
    },
    onError: (error) => announceError(error),
  });
  const counted = [
    counts.succeeded > 0 ? `${counts.succeeded} repaired` : '',
    counts.failed > 0 ? `${counts.failed} failed` : '',
    counts.skipped > 0 ? `${counts.skipped} skipped` : '',
    counts.pending + counts.running > 0 ? `${counts.pending + counts.running} to go` : '',
  ].filter((part) => part !== '');
  return (
    <section className="panel p-3" aria-label={`Roll-out of version ${rollout.targetVersion}`}>
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <Badge>v{rollout.targetVersion}</Badge>
        <Badge mark={STATES[status].mark}>{STATES[status].word}</Badge>
        <span className="tabular-nums flex-1 text-xs text-ink-3">
          <Time iso={rollout.createdAt} />
          {rollout.requestedByName ? `, by ${rollout.requestedByName}` : ''}
        </span>
        {status === 'running' ? (
          <Button size="sm" busy={setPaused.isPending && 'Pausing'} onClick={() => setPaused.mutate(true)}>
            Pause
          </Button>
        ) : null}
        {status === 'paused' || status === 'stopped' ? (
          <Button size="sm" busy={setPaused.isPending && 'Starting'} onClick={() => setPaused.mutate(false)}>
            {status === 'stopped' ? 'Try again' : 'Resume'}
          </Button>
        ) : null}
      </div>
      {status === 'completed' ? null : <Meter used={done} limit={partners.length} small label="Agencies done" />}
      <p className="tabular-nums mt-1 text-xs text-ink-2" role="status">
        {joinWords(counted)}
      </p>
      <ul className="mt-2 max-h-55 divide-y divide-line-soft overflow-y-auto">
        {partners.map((one) => (
          <li key={one.partnerId} className="flex gap-2.5 py-1.5">
            <Mark kind={PARTNER_MARKS[one.status].mark} label={PARTNER_MARKS[one.status].word} className="mt-0.75" />
            <div className="min-w-0 flex-1">
              <Link className="link" to="/admin/partners/$partnerId/automation" params={{ partnerId: one.partnerId }}>
                {one.name}
              </Link>
              {one.message ? <p className="text-xs text-ink-3">{one.message}</p> : null}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
