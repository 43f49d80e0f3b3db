import clsx from 'clsx';
import type { FormEvent, ReactNode } from 'react';
import { FormError } from './error-block.tsx';
import { SaveBar } from '../ui/forms/save-bar.tsx';

type Props = {
  edits: { isChanged: boolean; reset: () => void };
  save: { error: unknown; isPending: boolean; mutate: () => void; reset: () => void };
  /** Why the reader may not save. */
  refusal: string | undefined;
  /** Reads the record anew, for one that somebody else changed meanwhile. */
  onReload?: () => void;
  className?: string;
  children: ReactNode;
};

/** A page of settings: what failed, the fields, and a foot that says whether something is unsaved. */
export function SettingsForm({ edits, save, refusal, onReload, className, children }: Props) {
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (edits.isChanged && !save.isPending) save.mutate();
  };
  const reload = (): void => {
    save.reset();
    onReload?.();
  };
  const discard = (): void => {
    edits.reset();
    save.reset();
  };
  return (
    <form onSubmit={submit} className={clsx('grid gap-5', className)}>
      <FormError error={save.error} {...(onReload ? { onRetry: reload } : {})} />
      {children}
      <SaveBar isChanged={edits.isChanged} isBusy={save.isPending} refusal={refusal} onDiscard={discard} />
    </form>
  );
}
