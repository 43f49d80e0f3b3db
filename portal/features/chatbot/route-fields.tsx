import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { agentNamesQuery } from '../../queries/agents.ts';
import type { FormState } from '../../shared/forms/use-form.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { Field, Input } from '../../ui/forms/field.tsx';
import { type Option, Select } from '../../ui/forms/select.tsx';
import { plural } from '../../ui/text/format.ts';
import { type AgentRoute, type Draft, moved } from './draft.ts';
import { FormSection } from './form-section.tsx';

type Props = { form: FormState<Draft>; isOff: boolean; clientId: string };

/** Which agent runs when a visitor wants something. */
export function RouteFields({ form, isOff, clientId }: Props) {
  const routes = form.values.agentRoutes;
  const agents = useQuery(agentNamesQuery(clientId));
  const own = agents.data?.data.filter((agent) => agent.installed && (agent.clientId === null || agent.clientId === clientId));
  const options = (own ?? []).map(({ id, name, creditsPerRun }) => ({ value: id, label: name, hint: plural(creditsPerRun, 'credit') }));
  const list = useRef<HTMLOListElement>(null);
  const [focusAt, setFocusAt] = useState<number>();
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (focusAt === undefined) return;
    list.current?.children[focusAt]?.querySelector('input')?.focus();
    setFocusAt(undefined);
  }, [focusAt]);
  const change = (next: readonly AgentRoute[], focus: number, words: string): void => {
    form.set({ agentRoutes: next });
    setFocusAt(focus);
    setSaid(words);
  };
  const move = (from: number, step: -1 | 1): void => {
    const to = from + step;
    if (to >= 0 && to < routes.length) change(moved(routes, from, step), to, `Moved to place ${to + 1} of ${routes.length}.`);
  };
  const remove = (at: number): void =>
    change(
      routes.filter((_, index) => index !== at),
      Math.min(at, routes.length - 2),
      'Line removed.',
    );
  return (
    <FormSection
      title="Agents it may run"
      lead="When a visitor wants one of these, the chatbot asks for what the agent needs, such as a phone number, runs the agent once and reports the result. The run is metered like any other. It cannot run other agents."
    >
      {own?.length === 0 && routes.length === 0 ? (
        <p className="text-ink-2">
          This client has no installed agents yet.{' '}
          <Link className="link" to="/dashboard/catalog" search={{ client: clientId }}>
            Open the catalog
          </Link>
        </p>
      ) : (
        <>
          <ol ref={list} className="grid gap-3">
            {routes.map((route, at) => (
              <RouteRow
                // A line has no id of its own, and all of its values are props.
                key={at}
                at={at}
                route={route}
                options={options}
                isOff={isOff}
                isLast={at === routes.length - 1}
                hasError={form.errors['agentRoutes'] !== undefined}
                onChange={(part) => form.set({ agentRoutes: routes.map((one, index) => (index === at ? { ...one, ...part } : one)) })}
                onMove={(step) => move(at, step)}
                onRemove={() => remove(at)}
              />
            ))}
          </ol>
          {form.errors['agentRoutes'] ? <p className="text-xs text-bad">{form.errors['agentRoutes']}</p> : null}
          {isOff ? null : (
            <div className="flex flex-wrap items-center gap-3">
              <Button
                icon={<Plus aria-hidden />}
                inactive={routes.length >= LIMITS.agentRoutesMax}
                onClick={() => change([...routes, { intent: '', workflowId: '' }], routes.length, 'Line added.')}
              >
                Add an agent
              </Button>
              {routes.length > 1 ? (
                <span className="text-xs text-ink-3">The model chooses the line that fits best. Alt with an arrow key moves a line.</span>
              ) : null}
            </div>
          )}
        </>
      )}
      <p role="status" className="sr-only">
        {said}
      </p>
    </FormSection>
  );
}

type RowProps = {
  at: number;
  route: AgentRoute;
  options: readonly Option[];
  isOff: boolean;
  isLast: boolean;
  hasError: boolean;
  onChange: (part: Partial<AgentRoute>) => void;
  onMove: (step: -1 | 1) => void;
  onRemove: () => void;
};

function RouteRow({ at, route, options, isOff, isLast, hasError, onChange, onMove, onRemove }: RowProps) {
  const line = `line ${at + 1}`;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    onMove(event.key === 'ArrowUp' ? -1 : 1);
  };
  return (
    <li className="grid gap-x-2 gap-y-3 rounded-lg border border-line bg-surface p-3 md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]">
      <Field label="The visitor wants" error={hasError && !route.intent.trim() ? 'Say what the visitor wants.' : undefined}>
        {(ids) => (
          <Input
            {...ids}
            maxLength={200}
            placeholder="a text message with the price list"
            disabled={isOff}
            value={route.intent}
            onChange={(event) => onChange({ intent: event.target.value })}
            onKeyDown={onKeyDown}
          />
        )}
      </Field>
      <Field label="Agent to run" error={hasError && !route.workflowId ? 'Choose an agent.' : undefined}>
        {(ids) => (
          <Select
            {...ids}
            label="Agent to run"
            disabled={isOff}
            value={route.workflowId}
            onChange={(workflowId) => onChange({ workflowId })}
            options={withChosen(options, route.workflowId)}
          />
        )}
      </Field>
      {isOff ? null : (
        <div className="flex gap-1 md:pt-6.25">
          <IconButton
            label={`Move ${line} up`}
            disabledReason={at === 0 ? 'This is the first line.' : undefined}
            onClick={() => onMove(-1)}
          >
            <ArrowUp aria-hidden />
          </IconButton>
          <IconButton label={`Move ${line} down`} disabledReason={isLast ? 'This is the last line.' : undefined} onClick={() => onMove(1)}>
            <ArrowDown aria-hidden />
          </IconButton>
          <IconButton label={`Remove ${line}`} onClick={onRemove}>
            <Trash2 aria-hidden />
          </IconButton>
        </div>
      )}
    </li>
  );
}

/** Keeps an agent in the list that is no longer installed. */
function withChosen(options: readonly Option[], workflowId: string): readonly Option[] {
  if (!workflowId || options.length === 0 || options.some(({ value }) => value === workflowId)) return options;
  return [{ value: workflowId, label: 'An agent that is not installed' }, ...options];
}
