import clsx from 'clsx';
import type { ReactNode } from 'react';
import { SaveBar } from '../../ui/forms/save-bar.tsx';
import { Form } from './form.tsx';
import type { FormState } from './use-form.ts';

type Props = {
  form: Pick<FormState<object>, 'errors' | 'error' | 'refusals' | 'submit' | 'clearErrors' | 'isChanged' | 'isAtRisk' | 'isBusy' | 'reset'>;
  /** Why the user may not save. */
  refusal: string | undefined;
  /** Reloads the record, for one that changed meanwhile. */
  onReload?: () => void;
  /** The record is not saved yet; its defaults can be. */
  isNew?: boolean;
  id?: string;
  className?: string;
  children: ReactNode;
};

/** A page of settings: errors, fields, and a save bar that shows unsaved changes. */
export function SettingsForm({ form, refusal, onReload, isNew = false, id, className, children }: Props) {
  return (
    <Form form={form} className={clsx('grid gap-5', className)} {...(id === undefined ? {} : { id })} {...(onReload ? { onReload } : {})}>
      {children}
      <SaveBar isChanged={form.isChanged} isNew={isNew} isBusy={form.isBusy} refusal={refusal} onDiscard={form.reset} />
    </Form>
  );
}
