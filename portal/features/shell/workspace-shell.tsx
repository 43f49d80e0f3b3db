import type { LinkProps } from '@tanstack/react-router';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useUser } from '../../app/session.ts';
import { KeepKeys, keepKeys } from '../../ui/keyboard/keep-keys.ts';
import { useKeys } from '../../ui/keyboard/key-bindings.ts';
import type { PaletteItem } from '../../ui/overlays/command-palette.tsx';
import { Shell } from '../../ui/layout/shell.tsx';
import { ThemeMenu } from '../../ui/layout/theme-menu.tsx';
import { Bars } from './bars.tsx';
import { NavLink } from './nav-link.tsx';
import { UserMenu } from './user-menu.tsx';

/** One navigation entry. `go` is the shortcut letter after G. */
export type NavEntry = {
  to: NonNullable<LinkProps['to']>;
  /** Parameters of a view of the page; for entries of the palette. */
  search?: Readonly<Record<string, string>>;
  icon: ReactNode;
  label: string;
  go?: string;
  exact?: boolean;
  /** Pages under this path belong to the entry too. */
  also?: string;
  count?: ReactNode;
};
export type NavGroup = { head?: string; links: readonly NavEntry[] };

type Props = {
  audience: 'agency' | 'staff';
  mark: ReactNode;
  groups: readonly NavGroup[];
  /** Subpages, listed in the palette only. */
  subpages?: readonly NavEntry[];
  foot?: ReactNode;
  breadcrumb: ReactNode;
  /** Whether search finds records too, or pages only. */
  hasRecords?: boolean;
  outbox?: ReactNode;
  bell: ReactNode;
  children: ReactNode;
};

const ROLES = { admin: 'Admin', moderator: 'Moderator' } as const;

const Palette = lazy(() => import('./palette.tsx').then((module) => ({ default: module.Palette })));

const KeyList = lazy(() => import('../../ui/keyboard/key-list.tsx').then((module) => ({ default: module.KeyList })));

/** Shell shared by staff and agency: rail, palette, shortcuts and account menu. */
export function WorkspaceShell({
  audience,
  mark,
  groups,
  subpages = [],
  foot,
  breadcrumb,
  hasRecords = true,
  outbox,
  bell,
  children,
}: Props) {
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [areKeysOpen, setKeysOpen] = useState(false);
  const navigate = useNavigate();
  const { partnerRole } = useUser();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const links = groups.flatMap((group) => group.links);
  const go =
    ({ to, search }: NavEntry) =>
    (): void => {
      void navigate({ to, ...(search ? { search } : {}) });
    };
  const openPalette = (): void => {
    if (!isPaletteOpen) keepKeys();
    setPaletteOpen(true);
  };
  useKeys([
    { keys: 'mod+k', label: 'Search or jump to', group: 'Anywhere', run: openPalette },
    { keys: '?', label: 'Show keyboard shortcuts', group: 'Anywhere', run: () => setKeysOpen(true) },
    {
      keys: '/',
      label: 'Go to the text filter',
      group: 'Lists',
      run: () => document.querySelector<HTMLElement>('[data-filter-text]')?.focus(),
    },
    ...links.filter((item) => item.go).map((item) => ({ keys: `g ${item.go}`, label: item.label, group: 'Go' as const, run: go(item) })),
  ]);
  const pages = [...links, ...subpages].map((item): PaletteItem => ({
    key: `${item.to} ${item.label}`,
    group: 'Go to',
    icon: item.icon,
    words: item.label,
    kind: 'Page',
    run: go(item),
  }));
  const byKey = new Map(links.map((item) => [String(item.to), item]));
  return (
    <>
      <Shell
        bars={<Bars outbox={outbox} />}
        mark={mark}
        groups={groups.map((group) => ({
          ...(group.head ? { head: group.head } : {}),
          items: group.links.map((item) => ({ key: String(item.to), icon: item.icon, label: item.label, count: item.count })),
        }))}
        renderLink={(item, content) => (
          <NavLink
            to={byKey.get(item.key)?.to ?? '.'}
            label={item.label}
            exact={byKey.get(item.key)?.exact}
            also={byKey.get(item.key)?.also}
          >
            {content}
          </NavLink>
        )}
        foot={foot}
        breadcrumb={breadcrumb}
        path={path}
        onSearch={openPalette}
        tools={
          <>
            {bell}
            <ThemeMenu />
            <UserMenu onKeys={() => setKeysOpen(true)} role={partnerRole ? ROLES[partnerRole] : undefined} />
          </>
        }
      >
        {children}
      </Shell>
      {isPaletteOpen ? (
        <Suspense fallback={<KeepKeys />}>
          <Palette audience={audience} hasRecords={hasRecords} pages={pages} onClose={() => setPaletteOpen(false)} />
        </Suspense>
      ) : null}
      {areKeysOpen ? (
        <Suspense>
          <KeyList onClose={() => setKeysOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
