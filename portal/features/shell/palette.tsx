import { mayClientRunAgents } from '@partner-portal/core/agent/state.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  Activity,
  Building2,
  ClipboardList,
  Eye,
  Monitor,
  Moon,
  Pause,
  Play,
  Receipt,
  Sun,
  UserPlus,
  UserRound,
  Users,
  Workflow,
} from 'lucide-react';
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react';
import type { Asked } from '../../app/asked.ts';
import { useIsViewing, useRefusal } from '../../app/current-user.ts';
import { recentPages } from '../../app/recent.ts';
import { useAskOn } from '../../app/use-ask-on.ts';
import { type Agent, setAgentOn } from '../../queries/agents.ts';
import { announceError } from '../../shared/announce-error.ts';
import { ViewAsDialog } from '../../shared/view-as-dialog.tsx';
import { setTheme } from '../../ui/hooks/theme.ts';
import { announce } from '../../ui/feedback/toast.tsx';
import { CommandPalette, type PaletteItem } from '../../ui/overlays/command-palette.tsx';
import { isId } from '../../app/search-params.ts';
import { agencySearchQuery, searchQuery } from './queries.ts';

type Props = { audience: 'agency' | 'staff'; hasRecords: boolean; onClose: () => void; pages: readonly PaletteItem[] };

type Viewing = { name: string; scope: { partnerId?: string; clientId?: string } };

const RECENT_ICONS = { Client: <Users />, Agent: <Workflow />, Run: <Activity />, Agency: <Building2 /> } satisfies Record<
  string,
  ReactNode
>;

/** What an agency can begin from anywhere, of what this user may do. */
function useActions(audience: 'agency' | 'staff', isOpen: boolean): readonly PaletteItem[] {
  const askOn = useAskOn();
  const refusals: Record<Asked, string | undefined> = {
    client: useRefusal('clients.create'),
    request: useRefusal('requests.create'),
    invitation: useRefusal('invitations.manage'),
  };
  if (audience !== 'agency' || !isOpen) return [];
  const actions = [
    { what: 'client', icon: <Users />, words: 'Add a client' },
    { what: 'request', icon: <ClipboardList />, words: 'Request an agent' },
    { what: 'invitation', icon: <UserPlus />, words: 'Invite a member' },
  ] as const;
  return actions
    .filter(({ what }) => refusals[what] === undefined)
    .map(({ what, icon, words }) => ({
      key: `do-${what}`,
      group: 'Do',
      icon,
      words,
      run: () => askOn(what),
    }));
}

/** Turns an agent on or off, as its switch does. */
function switchItem({ id, name, clientName, isActive }: Agent): PaletteItem {
  const isOn = !isActive;
  const set = (on: boolean): void =>
    void setAgentOn(id, on).then(
      () => announce(on ? `${name} is on.` : `${name} is paused.`, on === isOn ? { undo: () => set(!on) } : {}),
      announceError,
    );
  return {
    key: `switch-${id}`,
    group: 'Do',
    icon: isOn ? <Play /> : <Pause />,
    words: `${isOn ? 'Turn on' : 'Pause'} ${clientName ? `${name}, ${clientName}` : name}`,
    kind: 'Agent',
    run: () => set(isOn),
  };
}

/** Command palette of a shell: pages, actions and search results. Loaded when first opened. */
export function Palette({ audience, hasRecords, onClose, pages }: Props) {
  const [query, setQuery] = useState('');
  const [isChosen, setChosen] = useState(false);
  const [viewing, setViewing] = useState<Viewing>();
  const navigate = useNavigate();
  const canView = !useIsViewing();
  const actions = useActions(audience, hasRecords);
  const cannotSwitch = useRefusal('agents.pause');
  // What follows is a name.
  const term = useDeferredValue(hasRecords ? query.trim().replace(/^(?:view as|pause|turn on)\s+/i, '') : '');
  const found = useQuery(searchQuery(audience, term));
  const ours = useQuery(agencySearchQuery(audience, term));
  // The palette is gone as soon as something was chosen; a dialog that was chosen stays.
  useEffect(() => {
    if (isChosen && !viewing) onClose();
  }, [isChosen, viewing, onClose]);
  if (isChosen) return viewing ? <ViewAsDialog open onClose={() => setViewing(undefined)} {...viewing} /> : null;
  const viewAs = (key: string, one: Viewing): PaletteItem => ({
    key: `view-${key}`,
    group: 'Do',
    icon: <Eye />,
    words: `View as ${one.name}`,
    kind: 'Read only',
    run: () => setViewing(one),
  });
  const items: PaletteItem[] = [
    ...recentPages(location.pathname).map(({ path, name, kind }): PaletteItem => ({
      key: `recent-${path}`,
      group: 'Recent',
      icon: RECENT_ICONS[kind],
      words: kind === 'Run' ? `Run of ${name}` : name,
      kind,
      run: () => void navigate({ to: path }),
    })),
    ...(audience === 'agency' && isId(term)
      ? [
          {
            key: `run-${term}`,
            group: 'Go to' as const,
            icon: <Activity />,
            words: term,
            kind: 'Run',
            run: () => void navigate({ to: '/dashboard/runs/$id', params: { id: term } }),
          },
        ]
      : []),
    ...(ours.data?.clients ?? []).map((client): PaletteItem => ({
      key: client.id,
      group: 'Go to',
      icon: <Users />,
      words: client.name,
      kind: 'Client',
      run: () => void navigate({ to: '/dashboard/clients/$id', params: { id: client.id } }),
    })),
    ...(ours.data?.agents ?? []).map((agent): PaletteItem => ({
      key: agent.id,
      group: 'Go to',
      icon: <Workflow />,
      words: agent.clientName ? `${agent.name}, ${agent.clientName}` : agent.name,
      kind: 'Agent',
      run: () => void navigate({ to: '/dashboard/agents/$id', params: { id: agent.id } }),
    })),
    ...(found.data?.partners ?? []).map((partner): PaletteItem => ({
      key: partner.id,
      group: 'Go to',
      icon: <Building2 />,
      words: partner.name,
      kind: 'Agency',
      run: () => void navigate({ to: '/admin/partners/$partnerId', params: { partnerId: partner.id } }),
    })),
    ...(found.data?.users ?? []).map(({ id, fullName, email, partnerName, role }): PaletteItem => ({
      key: id,
      group: 'Go to',
      icon: <UserRound />,
      words: fullName ? `${fullName}, ${email}` : email,
      kind: role === 'ADMIN' ? 'Staff' : `User, ${partnerName}`,
      run: () => void navigate({ to: '/admin/users', search: { q: email } }),
    })),
    ...(found.data?.partners ?? []).slice(0, 3).map((partner): PaletteItem => ({
      key: `billing-${partner.id}`,
      group: 'Go to',
      icon: <Receipt />,
      words: `${partner.name}, billing`,
      kind: 'Billing',
      run: () => void navigate({ to: '/admin/partners/$partnerId/billing', params: { partnerId: partner.id } }),
    })),
    ...pages,
    ...actions,
    ...(cannotSwitch === undefined
      ? (ours.data?.agents ?? []).filter((agent) => agent.installed && mayClientRunAgents(agent.clientStatus)).slice(0, 3)
      : []
    ).map(switchItem),
    ...(canView ? (ours.data?.clients ?? []).slice(0, 3).map(({ id, name }) => viewAs(id, { name, scope: { clientId: id } })) : []),
    ...(canView ? (found.data?.partners ?? []).slice(0, 3).map(({ id, name }) => viewAs(id, { name, scope: { partnerId: id } })) : []),
    { key: 'theme-system', group: 'Do', icon: <Monitor />, words: 'Use system theme', run: () => setTheme('system') },
    { key: 'theme-light', group: 'Do', icon: <Sun />, words: 'Use light theme', run: () => setTheme('light') },
    { key: 'theme-dark', group: 'Do', icon: <Moon />, words: 'Use dark theme', run: () => setTheme('dark') },
  ];
  return (
    <CommandPalette
      items={items}
      onClose={() => setChosen(true)}
      onQuery={setQuery}
      isSearching={found.isFetching || ours.isFetching}
      placeholder={audience === 'staff' ? 'An agency, a user, a page, something to do' : 'A client, an agent, a page, something to do'}
    />
  );
}
