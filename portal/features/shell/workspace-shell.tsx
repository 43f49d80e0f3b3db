import type { LinkProps } from '@tanstack/react-router';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useKeys } from '../../ui/keyboard/key-bindings.ts';
import type { PaletteItem } from '../../ui/overlays/command-palette.tsx';
import { KeyList } from '../../ui/keyboard/key-list.tsx';
import { Shell, ThemeMenu } from '../../ui/layout/shell.tsx';
import { useBars } from './bars.tsx';
import { NavLink } from './nav-link.tsx';
import { UserMenu } from './user-menu.tsx';

/** One navigation entry. `go` is the shortcut letter after G. */
export type NavEntry = {
  to: NonNullable<LinkProps['to']>;
  icon: ReactNode;
  word: string;
  go?: string;
  exact?: boolean;
  count?: number | undefined;
};
export type NavGroup = { head?: string; places: readonly NavEntry[] };

type Props = {
  audience: 'agency' | 'staff';
  mark: ReactNode;
  groups: readonly NavGroup[];
  /** Subpages, listed in the palette only. */
  deeper?: readonly NavEntry[];
  foot?: ReactNode;
  place: ReactNode;
  isSandbox: boolean;
  outbox?: ReactNode;
  bell: ReactNode;
  children: ReactNode;
};

const Palette = lazy(() => import('./palette.tsx').then((module) => ({ default: module.Palette })));

/** Shell shared by staff and agency: rail, palette, shortcuts and account menu. */
export function WorkspaceShell({ audience, mark, groups, deeper = [], foot, place, isSandbox, outbox, bell, children }: Props) {
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [areKeysOpen, setKeysOpen] = useState(false);
  const { bars, barsHeight } = useBars(isSandbox, outbox);
  const navigate = useNavigate();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const places = groups.flatMap((group) => group.places);
  const go = (to: NonNullable<LinkProps['to']>) => (): void => {
    void navigate({ to });
  };
  useKeys([
    { keys: 'mod+k', label: 'Search or jump to', group: 'Anywhere', run: () => setPaletteOpen(true) },
    { keys: '?', label: 'Show the keys', group: 'Anywhere', run: () => setKeysOpen(true) },
    {
      keys: '/',
      label: 'Go to the text filter',
      group: 'Lists',
      run: () => document.querySelector<HTMLElement>('[data-filter-text]')?.focus(),
    },
    ...places.filter((item) => item.go).map((item) => ({ keys: `g ${item.go}`, label: item.word, group: 'Go' as const, run: go(item.to) })),
  ]);
  const pages = [...places, ...deeper].map((item): PaletteItem => ({
    key: String(item.to),
    group: 'Go to',
    icon: item.icon,
    words: item.word,
    kind: 'Page',
    run: go(item.to),
  }));
  const byKey = new Map(places.map((item) => [String(item.to), item]));
  return (
    <>
      <Shell
        bars={bars}
        barsHeight={barsHeight}
        mark={mark}
        groups={groups.map((group) => ({
          ...(group.head ? { head: group.head } : {}),
          items: group.places.map((item) => ({ key: String(item.to), icon: item.icon, word: item.word, count: item.count })),
        }))}
        renderLink={(item, content) => (
          <NavLink to={byKey.get(item.key)?.to ?? '.'} word={item.word} exact={byKey.get(item.key)?.exact}>
            {content}
          </NavLink>
        )}
        foot={foot}
        place={place}
        path={path}
        onSearch={() => setPaletteOpen(true)}
        tools={
          <>
            {bell}
            <ThemeMenu />
            <UserMenu onKeys={() => setKeysOpen(true)} />
          </>
        }
      >
        {children}
      </Shell>
      {isPaletteOpen ? (
        <Suspense>
          <Palette audience={audience} pages={pages} onClose={() => setPaletteOpen(false)} />
        </Suspense>
      ) : null}
      <KeyList open={areKeysOpen} onClose={() => setKeysOpen(false)} />
    </>
  );
}
