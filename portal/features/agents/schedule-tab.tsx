import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { type Agent, type Schedule, scheduleQuery } from '../../lib/agents.ts';
import { api, queryClient } from '../../lib/client.ts';
import { fieldErrors } from '../../lib/errors.ts';
import { formatLongNow, joinWords } from '../../lib/format.ts';
import { useRefusal } from '../../lib/me.ts';
import { useUser } from '../../lib/session.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Panel } from '../../ui/layout.tsx';
import { ErrorBlock, Note } from '../../ui/note.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { SkeletonBlock } from '../../ui/skeleton.tsx';
import { Switch } from '../../ui/switch.tsx';
import { Time } from '../../ui/time.tsx';
import { TimezoneField } from '../../ui/timezone-field.tsx';
import { announce, announceError } from '../../ui/toast.tsx';
import { ScheduleFields } from './schedule-fields.tsx';
import { PLAIN_RULE, type Rule, sayRule, saySkipped } from './schedule-words.ts';

/** When the agent runs by itself. The service is the clock. */
export function ScheduleTab({ agent }: { agent: Agent }) {
  const schedule = useQuery(scheduleQuery(agent.id));
  if (schedule.error) return <ErrorBlock error={schedule.error} onRetry={() => void schedule.refetch()} />;
  if (!schedule.data) return <SkeletonBlock height={280} />;
  const { missingInputs } = schedule.data;
  if (missingInputs.length > 0)
    return (
      <EmptyState title="This agent works by events">
        Each of its runs needs something only an event can bring: {joinWords(missingInputs.map((input) => input.label.toLowerCase()))}. Send
        it events, as “How to connect” shows.
      </EmptyState>
    );
  return <ScheduleForm key={schedule.data.updatedAt ?? 'none'} agent={agent} saved={schedule.data} />;
}

function ScheduleForm({ agent, saved }: { agent: Agent; saved: Schedule }) {
  const user = useUser();
  const refusal = useRefusal('agents.manage');
  const current = saved.schedule;
  const first: Rule = current ?? saved.suggested ?? { ...PLAIN_RULE, timezone: user.partner.timezone };
  const start = {
    every: first.every,
    at: first.at,
    weekdays: first.weekdays,
    timezone: first.timezone,
    enabled: current?.enabled ?? false,
  };
  const [draft, setDraft] = useState(start);
  const set = (part: Partial<typeof start>): void => setDraft((before) => ({ ...before, ...part }));
  const keep = (record: Schedule): void => void queryClient.setQueryData(scheduleQuery(agent.id).queryKey, record);
  const save = useMutation({
    mutationFn: () =>
      api.putSchedule({
        params: { id: agent.id },
        body: draft,
        ...(saved.updatedAt === null ? {} : { headers: { 'if-match': `"${saved.updatedAt}"` } }),
      }),
    onSuccess: (record) => {
      keep(record);
      announce(
        record.nextRunAt ? `Saved. It runs next on ${formatLongNow(record.nextRunAt, draft.timezone)}.` : 'Saved. The schedule is off.',
      );
    },
  });
  const remove = useMutation({
    mutationFn: () => api.deleteSchedule({ params: { id: agent.id } }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: scheduleQuery(agent.id).queryKey });
      announce('The schedule is removed. The agent runs by events only.');
    },
    onError: (error) => announceError(error),
  });
  const errors = fieldErrors(save.error);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(start);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isChanged && !save.isPending) save.mutate();
  };
  const { suggested } = saved;
  return (
    <div className="grid items-start gap-x-10 gap-y-8 rail:grid-cols-[minmax(0,620px)_minmax(300px,360px)] rail:justify-between">
      <form onSubmit={submit} className="grid gap-5">
        {save.error && Object.keys(errors).length === 0 ? (
          <ErrorBlock
            error={save.error}
            onRetry={() => void queryClient.invalidateQueries({ queryKey: scheduleQuery(agent.id).queryKey })}
          />
        ) : null}
        <div className="flex gap-3">
          <span className="pt-0.5">
            <Switch checked={draft.enabled} onChange={(enabled) => set({ enabled })} label="Run by the clock" disabledReason={refusal} />
          </span>
          <div>
            <p className="font-medium">Run by the clock</p>
            <p className="text-xs text-ink-3">Events still start runs as before.</p>
          </div>
        </div>
        <ScheduleFields rule={draft} onChange={set} errors={errors} isOff={refusal !== undefined} />
        <TimezoneField
          value={draft.timezone}
          onChange={(timezone) => set({ timezone })}
          error={errors['timezone']}
          hint="Summer and winter time are followed."
          disabled={refusal !== undefined}
        />
        {suggested && sayRule(suggested) !== sayRule(draft) ? (
          <p className="text-ink-2">
            The template suggests {sayRule(suggested)}.{' '}
            <Button size="sm" disabledReason={refusal} onClick={() => set({ ...suggested, enabled: true })}>
              As the template suggests
            </Button>
          </p>
        ) : null}
        <SaveBar isChanged={isChanged} isBusy={save.isPending} refusal={refusal} onDiscard={() => setDraft(start)} />
      </form>
      <NextRun saved={saved} agent={agent}>
        {current ? (
          <Button kind="quiet" size="sm" disabledReason={refusal} busy={remove.isPending && 'Removing'} onClick={() => remove.mutate()}>
            Remove schedule
          </Button>
        ) : null}
      </NextRun>
    </div>
  );
}

function NextRun({ saved, agent, children }: { saved: Schedule; agent: Agent; children: ReactNode }) {
  const { nextRunAt, last, schedule } = saved;
  return (
    <Panel title="Next run">
      <div className="grid gap-3">
        {nextRunAt && schedule ? (
          <p className="num">
            <time dateTime={nextRunAt}>{formatLongNow(nextRunAt, schedule.timezone)}</time>
            <span className="block text-xs text-ink-3">{sayRule(schedule)}</span>
          </p>
        ) : (
          <p className="text-ink-2">None: the agent runs by events only.</p>
        )}
        {nextRunAt && !agent.isActive ? <Note tone="warn">The agent is switched off, so its next run will be skipped.</Note> : null}
        {last ? (
          <p className="border-t border-line-soft pt-3 text-ink-2">
            {last.outcome === 'started' && last.executionId ? (
              <>
                Last:{' '}
                <Link className="lnk" to="/dashboard/runs/$id" params={{ id: last.executionId }}>
                  <Time iso={last.dueAt} style="long" />
                </Link>
              </>
            ) : (
              <>
                Skipped <Time iso={last.dueAt} style="long" />: {saySkipped(last.reason)}.
              </>
            )}
          </p>
        ) : null}
        {children ? <div>{children}</div> : null}
      </div>
    </Panel>
  );
}
