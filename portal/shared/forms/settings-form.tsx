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
  className?: string;
  children: ReactNode;
};

/** A page of settings: errors, fields, and a save bar that shows unsaved changes. */
export function SettingsForm({ form, refusal, onReload, className, children }: Props) {
  return (
    <Form form={form} className={clsx('grid gap-5', className)} {...(onReload ? { onReload } : {})}>
      {children}
      <SaveBar isChanged={form.isChanged} isBusy={form.isBusy} refusal={refusal} onDiscard={form.reset} />
    </Form>
  );
}
