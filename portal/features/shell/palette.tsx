import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Building2, Monitor, Moon, Sun } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { setTheme } from '../../lib/theme.ts';
import { CommandPalette, type PaletteItem } from '../../ui/command-palette.tsx';
import { searchQuery } from './queries.ts';

type Props = { face: 'agency' | 'staff'; onClose: () => void; pages: readonly PaletteItem[] };

/** The palette of a face: its pages, what can be done, and names found by the server. Loaded when first opened. */
export function Palette({ face, onClose, pages }: Props) {
  const [query, setQuery] = useState('');
  const navigate = useNavigate();
  const asked = useDeferredValue(query.trim());
  const found = useQuery(searchQuery(face, asked));
  const items: PaletteItem[] = [
    ...(found.data?.partners ?? []).map((partner): PaletteItem => ({ key: partner.id, group: 'Go to', icon: <Building2 />, words: partner.name, kind: 'Partner', run: () => void navigate({ to: '/admin/partners/$partnerId', params: { partnerId: partner.id } }) })),
    ...pages,
    { key: 'theme-system', group: 'Do', icon: <Monitor />, words: 'Use the theme of the system', run: () => setTheme('system') },
    { key: 'theme-light', group: 'Do', icon: <Sun />, words: 'Use the light theme', run: () => setTheme('light') },
    { key: 'theme-dark', group: 'Do', icon: <Moon />, words: 'Use the dark theme', run: () => setTheme('dark') },
  ];
  return <CommandPalette items={items} onClose={onClose} onQuery={setQuery} isSearching={found.isFetching} />;
}
