import { Link } from '@tanstack/react-router';
import { formatNumber, plural } from '../../ui/text/format.ts';
import { useIsViewing, useRefusal } from '../../app/current-user.ts';
import { PROVIDERS } from '../../shared/labels.ts';
import { Status } from '../../ui/feedback/badge.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { ProviderIcon } from '../../ui/identity/icons.tsx';
import { ProviderState, type ProviderView, sourceOf } from './provider-state.tsx';
import type { Stored } from '../../queries/credentials.ts';
import '../../ui/layout/panel.css';
import '../../ui/table/table.css';

type Props = {
  views: readonly ProviderView[];
  clientId?: string | undefined;
  codeAgents: number;
  openService: string | undefined;
  onOpen: (service: Stored) => void;
};

/** The services with key source, state and usage. */
export function ProviderTable({ views, clientId, codeAgents, openService, onOpen }: Props) {
  return (
    <div className="panel table-panel">
      <table className="table" data-two-line="" aria-label="Services">
        <thead>
          <tr>
            <th scope="col">Service</th>
            <th scope="col" data-hide="phone">
              {clientId ? 'Key' : 'Agency default'}
            </th>
            <th scope="col" data-hide="phone">
              State
            </th>
            {clientId ? null : (
              <th scope="col" data-hide="phone">
                Clients with own key
              </th>
            )}
            <th scope="col" data-align="end" data-hide="phone">
              Agents
            </th>
            <th scope="col">
              <span className="sr-only">Open</span>
            </th>
          </tr>
        </thead>
        <tbody className="[&_td]:!h-12.5">
          {views.map((view) => (
            <ProviderRow
              key={view.provider}
              view={view}
              clientId={clientId}
              isOpen={openService === view.provider}
              onOpen={() => onOpen(view.provider)}
            />
          ))}
          <CodeRow agents={codeAgents} isForClient={clientId !== undefined} />
        </tbody>
      </table>
    </div>
  );
}

function ProviderRow({
  view,
  clientId,
  isOpen,
  onOpen,
}: {
  view: ProviderView;
  clientId: string | undefined;
  isOpen: boolean;
  onOpen: () => void;
}) {
  const { title, note } = sourceOf(view);
  const { name, kind } = PROVIDERS[view.provider];
  const isViewing = useIsViewing();
  const refusal = useRefusal('credentials.manage');
  // A key that is there can be looked at by everyone.
  const isSeen = isViewing || (refusal !== undefined && view.row !== undefined && !offersKey(view));
  const action = isSeen ? 'See' : actionOf(view, clientId);
  return (
    <tr
      data-row={view.provider}
      data-selected={isOpen ? '' : undefined}
      onClick={(event) => {
        if (event.target instanceof Element && !event.target.closest('a, button')) onOpen();
      }}
    >
      <td>
        <span className="flex items-center gap-2.5">
          <ProviderIcon provider={view.provider} />
          <span>
            <span className="block font-medium">{name}</span>
            <span className="table-second-line hidden md:block">{kind}</span>
            <span className="table-phone-line table-second-line">
              <ProviderState view={view} />
            </span>
          </span>
        </span>
      </td>
      <td data-hide="phone">
        <span className="block font-medium">{title}</span>
        <span className="table-second-line">{note}</span>
      </td>
      <td data-hide="phone">
        <ProviderState view={view} />
      </td>
      {clientId ? null : (
        <td data-hide="phone" className="text-ink-2">
          {view.own.length ? plural(view.own.length, 'client') : '–'}
        </td>
      )}
      <td data-align="end" data-hide="phone">
        {view.agents ? formatNumber(view.agents) : <span className="text-ink-3">–</span>}
      </td>
      <td data-align="end">
        <Button size="sm" onClick={onOpen} disabledReason={isSeen ? undefined : refusal} aria-label={`${action}: ${name}`}>
          {action}
        </Button>
      </td>
    </tr>
  );
}

function actionOf(view: ProviderView, clientId: string | undefined): string {
  if (!view.row) return clientId ? 'Add key' : 'Add default';
  return offersKey(view) ? 'Use own key' : 'Manage';
}

/** Whether a key of another counts, in place of which one of their own can be used. */
function offersKey({ row }: ProviderView): boolean {
  return row !== undefined && (row.inherited || row.sourceMode === 'platform');
}

function CodeRow({ agents, isForClient }: { agents: number; isForClient: boolean }) {
  return (
    <tr>
      <td>
        <span className="flex items-center gap-2.5">
          <ProviderIcon provider="code" />
          <span>
            <span className="block font-medium">Code</span>
            <span className="table-second-line">Built-in step</span>
          </span>
        </span>
      </td>
      <td data-hide="phone">
        <span className="block font-medium">Built in</span>
        <span className="table-second-line">No key to store</span>
      </td>
      <td data-hide="phone">
        <Status mark="ok">Available</Status>
      </td>
      {isForClient ? null : <td data-hide="phone">–</td>}
      <td data-align="end" data-hide="phone">
        {agents ? formatNumber(agents) : <span className="text-ink-3">–</span>}
      </td>
      <td data-align="end">
        <Link to="/dashboard/agents" className="link text-xs">
          Agents
        </Link>
      </td>
    </tr>
  );
}
