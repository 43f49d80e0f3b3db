import { Link, type LinkProps, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMediaQuery, WIDER_THAN_PHONE, WIDER_THAN_TABLET } from '../../ui/hooks/use-media-query.ts';
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
  const isSlim = useMediaQuery(`${WIDER_THAN_PHONE} and (not ${WIDER_THAN_TABLET})`);
  const isAlso = useRouterState({ select: ({ location }) => also !== undefined && location.pathname.startsWith(also) });
  return (
    <SlimTip text={isSlim ? label : undefined}>
      <Link
        to={to}
        {...(isAlso ? { 'aria-current': 'page' as const } : {})}
        activeOptions={{ exact: exact ?? false, includeSearch: false }}
      >
        {children}
      </Link>
    </SlimTip>
  );
}
