import type { ReactNode } from 'react';
import { codeOf } from '../app/errors.ts';
import { PageHeader } from '../ui/layout/layout.tsx';
import { ErrorBlock } from './error-block.tsx';
import { useRetry } from './route-error.tsx';

type Props = {
  /** Absent when the route found no such record. */
  error?: unknown;
  reset?: () => void;
  /** What the page is about, as in "this run". */
  thing: string;
  /** A link to where it would be found. */
  children: ReactNode;
};

/** In place of a page whose one record could not be read: that it does not exist, or what failed. */
export function PageError({ error, reset = () => undefined, thing, children }: Props) {
  const retry = useRetry(reset);
  if (error === undefined || codeOf(error) === 'not_found')
    return (
      <PageHeader
        title={`This ${thing} is not here`}
        meta="It may have been removed, or the address may be incomplete."
        actions={children}
      />
    );
  return (
    <>
      <PageHeader title={`This ${thing} cannot be shown`} actions={children} />
      <ErrorBlock error={error} onRetry={retry} />
    </>
  );
}
