import { Link, type LinkProps, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMediaQuery } from './use-media-query.ts';
import { SlimTip } from '../../ui/layout/shell.tsx';

/** A rail entry, also current on pages under `also`; in the slim rail its label is a tooltip. */
export function NavLink({
  to,
  label,
  exact,
  also,
  children,
}: {
  to: NonNullable<LinkProps['to']>;
  label: string;
  exact?: boolean | undefined;
  also?: string | undefined;
  children: ReactNode;
}) {
  const isSlim = useMediaQuery('(min-width: 768px) and (max-width: 1099px)');
  return (
    <SlimTip text={isSlim ? label : undefined}>
      <Link to={to} activeOptions={{ exact: exact ?? false, includeSearch: false }}>
        {children}
      </Link>
    </SlimTip>
  );
}
