import type { ReactNode } from 'react';
import { codeOf } from '../app/errors.ts';
import { PageHeader } from '../ui/layout/layout.tsx';
import { ErrorBlock } from './error-block.tsx';

type Props = {
  error: unknown;
  onRetry: () => void;
  /** What the page is about, as in "this run". */
  thing: string;
  /** The way to where it would be found. */
  children: ReactNode;
};

/** In place of a page whose one thing could not be read: that it is not there and the way on, or what went wrong. */
export function PageError({ error, onRetry, thing, children }: Props) {
  if (codeOf(error) === 'not_found')
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
      <ErrorBlock error={error} onRetry={onRetry} />
    </>
  );
}
