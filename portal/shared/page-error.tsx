import { useUiText } from '../ui/text/reader.ts';
import { CancelledError } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { codeOf } from '../app/errors.ts';
import { PageHeader } from '../ui/layout/layout.tsx';
import { ErrorBlock } from './error-block.tsx';
import { RouteError, useRetry } from './route-error.tsx';

type Props = {
  /** Absent when the route found no such record. */
  error?: unknown;
  reset?: () => void;
  /** What the page is about, as in "this run"; a page in other languages has titles of its own. */
  thing?: string;
  titles?: { notFound: string; notLoaded: string };
  /** A link to the list it belongs to. */
  children: ReactNode;
};

/** Replaces a page whose record could not be loaded: shows that it does not exist, or what failed. */
export function PageError({ error, reset = () => undefined, thing = 'page', titles, children }: Props) {
  const t = useUiText();
  const retry = useRetry(reset);
  if (error === undefined || codeOf(error) === 'not_found')
    return <PageHeader title={titles?.notFound ?? `This ${thing} was not found`} meta={t('ui.notFoundHint')} actions={children} />;
  if (error instanceof CancelledError) return <RouteError error={error} reset={reset} />;
  return (
    <>
      <PageHeader title={titles?.notLoaded ?? `This ${thing} could not be loaded`} actions={children} />
      <ErrorBlock error={error} onRetry={retry} />
    </>
  );
}
