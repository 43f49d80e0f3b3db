import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type Agent, type Schedule, scheduleQuery } from '../../queries/agents.ts';
import { api, formApi } from '../../app/api.ts';
import { queryClient } from '../../app/query-client.ts';
import { formatLongNow, joinWords, plural } from '../../ui/text/format.ts';
import { useRefusal } from '../../app/current-user.ts';
import { useUser } from '../../app/session.ts';
import { SettingsForm } from '../../shared/forms/settings-form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Button, buttonClass } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Panel } from '../../ui/layout/layout.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { Time } from '../../ui/text/time.tsx';
import { TimezoneField } from '../../ui/forms/timezone-field.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { whyOff } from '../../shared/agent-state.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { PlannedRuns } from './planned-runs.tsx';
import { ScheduleFields } from './schedule-fields.tsx';
import { DEFAULT_RULE, type Rule, checkProblemText, ruleText, skipText } from './schedule-text.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { useLoaded } from '../../app/route-data.ts';

/** The agent's schedule, its booking checks and its planned executions. The service evaluates all times. */
export function ScheduleTab({ agent }: { agent: Agent }) {
  const schedule = useLoaded(scheduleQuery(agent.id));
  const { kind, missingInputs, planned } = schedule;
  if (kind === 'events')
    return (
      <div className="grid items-start gap-x-10 gap-y-8 rail:grid-cols-[minmax(0,620px)_minmax(300px,360px)] rail:justify-between">
        <EmptyState title="This agent runs on events">
          Each of its runs needs something only an event can provide: {joinWords(missingInputs.map((input) => input.label.toLowerCase()))}.
          It runs each time you send it an event; see “How to connect”.
          {planned.waitingTotal + planned.recent.length > 0 ? ' Follow-ups it plans wait here and start on their own.' : null}
        </EmptyState>
        {planned.waitingTotal + planned.recent.length > 0 ? <PlannedRuns agent={agent} planned={planned} /> : null}
      </div>
    );
  return <ScheduleForm agent={agent} saved={schedule} />;
}

const RUNNING = {
  title: 'Run on a schedule',
  hint: 'Events still start runs.',
  off: 'None: the agent runs on events only.',
  next: 'Next run',
};
const CHECKING = {
  title: 'Check bookings on a schedule',
  hint: 'Finds upcoming visits in Cal.com and sends each a reminder at the lead times you set.',
  off: 'None: only visits that arrive as events get a reminder.',
  next: 'Next check',
};

function ScheduleForm({ agent, saved }: { agent: Agent; saved: Schedule }) {
  const user = useUser();
  const refusal = useRefusal('agents.manage');
  const words = saved.kind === 'bookings' ? CHECKING : RUNNING;
  const current = saved.schedule;
  const first: Rule = current ?? saved.suggested ?? { ...DEFAULT_RULE, timezone: user.partner.timezone };
  const form = useForm({
    saved: {
      every: first.every,
      at: first.at,
      weekdays: first.weekdays,
      timezone: first.timezone,
      enabled: current?.enabled ?? false,
    },
    send: (body) =>
      formApi.putSchedule({
        params: { id: agent.id },
        body,
        ...(saved.updatedAt === null ? {} : { headers: { 'if-match': `"${saved.updatedAt}"` } }),
      }),
    onSaved: (record, sent) => {
      queryClient.setQueryData(scheduleQuery(agent.id).queryKey, record);
      announce(
        !record.nextRunAt
          ? 'Schedule saved. It is off.'
          : record.kind === 'bookings'
            ? 'Schedule saved. Bookings are checked within a minute.'
            : `Schedule saved. Next run: ${formatLongNow(record.nextRunAt, sent.timezone)}.`,
      );
    },
  });
  const { values: draft, set } = form;
  const remove = useMutation({
    mutationFn: () => api.deleteSchedule({ params: { id: agent.id } }),
    onSuccess: () => {
      form.reset();
      setRemoving(false);
      void refreshAfter('scheduleConflict', agent.id);
      announce('Schedule removed. The agent runs on events only.');
    },
    onError: (error) => {
      setRemoving(false);
      announceError(error);
    },
  });
  const { suggested } = saved;
  const [isRemoving, setRemoving] = useState(false);
  // Reminders that were planned by checks end with these.
  const waiting = saved.kind === 'bookings' ? saved.planned.waitingTotal : 0;
  return (
    <div className="grid items-start gap-x-10 gap-y-8 rail:grid-cols-[minmax(0,620px)_minmax(300px,360px)] rail:justify-between">
      <SettingsForm form={form} refusal={refusal} onReload={() => void refreshAfter('scheduleConflict', agent.id)}>
        <div className="flex gap-3">
          <span className="pt-0.5">
            <Switch checked={draft.enabled} onChange={(enabled) => set({ enabled })} label={words.title} disabledReason={refusal} />
          </span>
          <div>
            <p className="font-medium">{words.title}</p>
            <p className="text-xs text-ink-3">{words.hint}</p>
          </div>
        </div>
        {waiting > 0 && current?.enabled && !draft.enabled ? (
          <Note tone="warn">
            <b>{plural(waiting, 'reminder waits', 'reminders wait')}.</b> Saving cancels those that checks found. To keep the later ones,
            pause the agent instead.
          </Note>
        ) : null}
        <ScheduleFields rule={draft} onChange={set} errors={form.errors} isOff={refusal !== undefined} />
        <TimezoneField {...form.field('timezone')} hint="Adjusts for daylight saving time." disabled={refusal !== undefined} />
        {suggested && ruleText(suggested) !== ruleText(draft) ? (
          <p className="text-ink-2">
            The template suggests {ruleText(suggested)}.{' '}
            <Button size="sm" disabledReason={refusal} onClick={() => set({ ...suggested, enabled: true })}>
              Use suggested schedule
            </Button>
          </p>
        ) : null}
      </SettingsForm>
      <div className="grid gap-6">
        <NextRun saved={saved} agent={agent}>
          {current ? (
            <Button
              kind="quiet"
              size="sm"
              disabledReason={refusal}
              busy={remove.isPending && 'Removing'}
              onClick={() => (waiting > 0 ? setRemoving(true) : remove.mutate())}
            >
              Remove schedule
            </Button>
          ) : null}
        </NextRun>
        {saved.kind === 'bookings' || saved.planned.waitingTotal + saved.planned.recent.length > 0 ? (
          <PlannedRuns agent={agent} planned={saved.planned} />
        ) : null}
      </div>
      <ConfirmDialog
        open={isRemoving}
        onClose={() => setRemoving(false)}
        title="Remove the schedule?"
        action="Remove"
        busy={remove.isPending && 'Removing'}
        onConfirm={() => remove.mutate()}
      >
        <b>{plural(waiting, 'reminder waits', 'reminders wait')}.</b> Those that checks found are cancelled; those of events stay.
      </ConfirmDialog>
    </div>
  );
}

function NextRun({ saved, agent, children }: { saved: Schedule; agent: Agent; children: ReactNode }) {
  const { nextRunAt, last, schedule, kind } = saved;
  const words = kind === 'bookings' ? CHECKING : RUNNING;
  const off = whyOff(agent);
  return (
    <Panel title={words.next}>
      <div className="grid gap-3">
        {nextRunAt && schedule ? (
          <p className="tabular-nums">
            <time dateTime={nextRunAt}>
              {new Date(nextRunAt) <= new Date() ? 'Within a minute' : formatLongNow(nextRunAt, schedule.timezone)}
            </time>
            <span className="block text-xs text-ink-3">{ruleText(schedule)}</span>
          </p>
        ) : (
          <p className="text-ink-2">{words.off}</p>
        )}
        {nextRunAt && off ? (
          <Note tone="warn">
            {off}, so the {words.next.toLowerCase()} will be skipped.
          </Note>
        ) : null}
        {last ? <Last agent={agent} last={last} /> : null}
        {children ? <div>{children}</div> : null}
      </div>
    </Panel>
  );
}

/** Outcome of the last occurrence. A failed booking check is a warning: no new reminders until it works again. */
function Last({ agent, last }: { agent: Agent; last: NonNullable<Schedule['last']> }) {
  const when = <Time iso={last.dueAt} style="long" />;
  if (last.outcome === 'failed')
    return (
      <Note
        tone="bad"
        action={
          last.reason?.startsWith('key_') ? (
            <Link
              to="/dashboard/integrations"
              search={{ service: 'calcom', client: agent.clientId ?? undefined }}
              className={buttonClass('default', 'sm')}
            >
              Open key
            </Link>
          ) : undefined
        }
      >
        The look of {when} failed: {checkProblemText(last.reason)}.
      </Note>
    );
  return (
    <p className="border-t border-line-soft pt-3 text-ink-2">
      {last.outcome === 'started' && last.executionId ? (
        <>
          Last:{' '}
          <Link className="link" to="/dashboard/runs/$id" params={{ id: last.executionId }}>
            {when}
          </Link>
        </>
      ) : last.outcome === 'looked' ? (
        <>
          Last check: {when}, {last.found === 0 ? 'no upcoming visits' : `${plural(last.found ?? 0, 'reminder')} waiting`}.
        </>
      ) : (
        <>
          Skipped {when}: {skipText(last.reason)}.
        </>
      )}
    </p>
  );
}
