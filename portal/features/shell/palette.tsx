import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Activity, Building2, Monitor, Moon, Receipt, Sun, Users, Workflow } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { setTheme } from '../../ui/hooks/use-theme.ts';
import { CommandPalette, type PaletteItem } from '../../ui/overlays/command-palette.tsx';
import { isId } from '../../app/search-params.ts';
import { agencySearchQuery, searchQuery } from './queries.ts';

type Props = { audience: 'agency' | 'staff'; hasRecords: boolean; onClose: () => void; pages: readonly PaletteItem[] };

/** Command palette of a shell: pages, actions and search results. Loaded when first opened. */
export function Palette({ audience, hasRecords, onClose, pages }: Props) {
  const [query, setQuery] = useState('');
  const navigate = useNavigate();
  const term = useDeferredValue(hasRecords ? query.trim() : '');
  const found = useQuery(searchQuery(audience, term));
  const ours = useQuery(agencySearchQuery(audience, term));
  const items: PaletteItem[] = [
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
      kind: 'Partner',
      run: () => void navigate({ to: '/admin/partners/$partnerId', params: { partnerId: partner.id } }),
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
    { key: 'theme-system', group: 'Do', icon: <Monitor />, words: 'Use system theme', run: () => setTheme('system') },
    { key: 'theme-light', group: 'Do', icon: <Sun />, words: 'Use light theme', run: () => setTheme('light') },
    { key: 'theme-dark', group: 'Do', icon: <Moon />, words: 'Use dark theme', run: () => setTheme('dark') },
  ];
  return <CommandPalette items={items} onClose={onClose} onQuery={setQuery} isSearching={found.isFetching || ours.isFetching} />;
}
